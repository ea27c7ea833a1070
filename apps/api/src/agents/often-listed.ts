import type { SelectQueryBuilder } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import { readSpellings, type SuggestedCapability } from '../suggestions/find-suggestions.ts';
import type { createListPages, SelectedList } from './kysely-list-pages.ts';

/** Most capabilities that are found. */
const MAX_CAPABILITIES = 8;
/** A capability of fewer agents leads to no list. */
const MIN_AGENTS = 2;
/** Of lists of up to this many agents all capabilities are counted, of longer ones the frequent ones of the registry. */
const MAX_COUNTED = 1_000;
/** Most spellings of capabilities, those of most agents, that are looked at for the frequent ones. */
const MAX_SPELLINGS = 1_000;
/** Most capabilities that are frequent in the registry. */
const MAX_FREQUENT = 64;

/** Selects the agents of a list in any order. */
type SelectUnordered = ReturnType<typeof createListPages>['selectUnordered'];

/** A query for the `seq` of the agents of a list. */
type Seqs = SelectQueryBuilder<Tables, 'agents', { seq: number }>;

/** Finds the capabilities that most agents of a list have, in the spelling of most agents of the registry. */
export async function findOftenListed(
  engine: Engine,
  selectUnordered: SelectUnordered,
  list: SelectedList,
): Promise<SuggestedCapability[]> {
  const isWhole = Object.values(list).every((value) => value === undefined);
  const found = isWhole
    ? await countAll(engine)
    : await countListed(engine, selectUnordered(list).select('agents.seq'));
  if (found.length === 0) return [];
  const spellings = await readSpellings(
    engine.db,
    found.map(({ key }) => key),
  );
  return found.flatMap(({ key, agents }) => {
    const usual = spellings.find((spelling) => spelling.key === key);
    return usual ? { name: usual.label, agents } : [];
  });
}

/** Counts the capabilities of all agents, which are counted by their spellings. */
function countAll({ db }: Engine) {
  return db
    .selectFrom('capability_counts')
    .select(['key', (select) => select.fn.sum<number>('agents').as('agents')])
    .where('key', 'in', selectFrequent(db))
    .groupBy('key')
    .having((having) => having.fn.sum('agents'), '>=', MIN_AGENTS)
    .orderBy('agents', 'desc')
    .orderBy('key')
    .limit(MAX_CAPABILITIES)
    .execute();
}

/** Counts the capabilities of some agents; of many agents those that are frequent in the registry. */
async function countListed(engine: Engine, seqs: Seqs) {
  const { db } = engine;
  const first = db.selectFrom(seqs.limit(MAX_COUNTED + 1).as('first'));
  const [counted] = await engine.readMuch(first.select((select) => select.fn.countAll<number>().as('agents')));
  const isLong = (counted?.agents ?? 0) > MAX_COUNTED;
  const capabilities = db
    .selectFrom('agent_capabilities')
    .select(['key', (select) => select.fn.countAll<number>().as('agents')])
    .groupBy('key')
    .having((having) => having.fn.countAll(), '>=', MIN_AGENTS)
    .orderBy('agents', 'desc')
    .orderBy('key')
    .limit(MAX_CAPABILITIES);
  return engine.readMuch(
    isLong
      ? capabilities
          .where('key', 'in', selectFrequent(db))
          // Checked row by row: no index has the expression.
          .where((where) => where(where.fn.coalesce('seq', where.lit(0)), 'in', seqs))
      : capabilities.where('seq', 'in', seqs),
  );
}

/** Selects the keys of the capabilities that most agents of the registry have. */
function selectFrequent(db: Engine['db']) {
  const spellings = db
    .selectFrom('capability_counts')
    .select(['key', 'agents'])
    .orderBy('agents', 'desc')
    .orderBy('label')
    .limit(MAX_SPELLINGS);
  return db
    .selectFrom(spellings.as('spellings'))
    .select('key')
    .groupBy('key')
    .orderBy((select) => select.fn.sum('agents'), 'desc')
    .orderBy('key')
    .limit(MAX_FREQUENT);
}
