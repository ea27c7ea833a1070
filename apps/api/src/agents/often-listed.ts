import type { Facets } from '@agent-registry/contracts';
import { sql, type Kysely, type SelectQueryBuilder } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';

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

type Seqs = SelectQueryBuilder<Tables, 'agents', { seq: number }>;

/**
 * Finds the capabilities that most agents of a list have, in the spelling of most agents of the registry.
 * @param total the number of agents of the list, if it is known; `latest` for results of a search, of which all are counted
 */
export async function findOftenListed(
  engine: Engine,
  seqs: Seqs,
  total: number | 'all' | 'latest' | undefined,
): Promise<Facets['capabilities']> {
  const isLong = total === 'all' || (total !== 'latest' && (total ?? (await countFirst(engine, seqs))) > MAX_COUNTED);
  const frequent = isLong ? await readFrequent(engine) : undefined;
  if (frequent?.length === 0) return [];
  const found = await (total === 'all' && frequent
    ? countAllCapabilities(engine, frequent)
    : countCapabilities(engine, seqs, frequent));
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

/** The number of agents of a list, as far as it matters. */
async function countFirst(engine: Engine, seqs: Seqs): Promise<number> {
  const first = engine.db.selectFrom(seqs.limit(MAX_COUNTED + 1).as('first'));
  const [counted] = await engine.readMuch(first.select((select) => select.fn.countAll<number>().as('agents')));
  return counted?.agents ?? 0;
}

/** Counts capabilities of all agents, which are counted by their spellings. */
function countAllCapabilities({ db }: Engine, keys: readonly string[]) {
  return db
    .selectFrom('capability_counts')
    .select(['key', (select) => select.fn.sum<number>('agents').as('agents')])
    .where('key', 'in', keys)
    .groupBy('key')
    .having((having) => having.fn.sum('agents'), '>=', MIN_AGENTS)
    .orderBy('agents', 'desc')
    .orderBy('key')
    .limit(MAX_CAPABILITIES)
    .execute();
}

/** Counts the capabilities of some agents, all or these only. */
function countCapabilities(engine: Engine, seqs: Seqs, keys: readonly string[] | undefined) {
  const capabilities = engine.db
    .selectFrom('agent_capabilities')
    .select(['key', (select) => select.fn.countAll<number>().as('agents')])
    .groupBy('key')
    .having((having) => having.fn.countAll(), '>=', MIN_AGENTS)
    .orderBy('agents', 'desc')
    .orderBy('key')
    .limit(MAX_CAPABILITIES);
  if (!keys) return engine.readMuch(capabilities.where('seq', 'in', seqs));
  return engine.readMuch(
    capabilities
      .where('key', 'in', keys)
      // No index has the expression: SQLite would look up each agent of the list for each key.
      .where((where) => where(where.fn.coalesce('seq', where.lit(0)), 'in', seqs)),
  );
}

/** Reads the keys of the frequent capabilities of the registry; PostgreSQL plans better with them than with a query. */
async function readFrequent({ db }: Engine): Promise<string[]> {
  const rows = await db
    .selectFrom(selectFrequent(db).limit(MAX_SPELLINGS).as('spellings'))
    .select('key')
    .groupBy('key')
    .orderBy((select) => select.fn.sum('agents'), 'desc')
    .orderBy('key')
    .limit(MAX_FREQUENT)
    .execute();
  return rows.map(({ key }) => key);
}

/** The spellings of several agents, those of most agents first. */
export function selectFrequent(db: Kysely<Tables>) {
  return (
    db
      .selectFrom('capability_counts')
      .select(['key', 'label', 'agents'])
      // Written out, as the condition of their index is.
      .where(sql<boolean>`agents > 1`)
      .orderBy('agents', 'desc')
      .orderBy('label')
  );
}

/** Reads the spellings of capabilities by their keys; those of most agents come first. */
export function readSpellings(db: Kysely<Tables>, keys: readonly string[]) {
  return db
    .selectFrom('capability_counts')
    .select(['key', 'label', 'agents'])
    .where('key', 'in', keys)
    .orderBy('agents', 'desc')
    .orderBy('label')
    .execute();
}

export async function countCapability(db: Kysely<Tables>, key: string): Promise<number> {
  const { agents } = await db
    .selectFrom('capability_counts')
    .select((select) => select.fn.coalesce(select.fn.sum<number>('agents'), select.lit(0)).as('agents'))
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return agents;
}
