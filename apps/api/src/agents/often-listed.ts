import type { Engine } from '../db/engine.ts';
import { readSpellings, type SuggestedCapability } from '../suggestions/find-suggestions.ts';
import type { createListPages, SelectedList } from './kysely-list-pages.ts';

/** Most capabilities that are found. */
const MAX_CAPABILITIES = 8;
/** A capability of fewer agents leads to no list. */
const MIN_AGENTS = 2;

/** Selects the agents of a list in any order. */
type SelectUnordered = ReturnType<typeof createListPages>['selectUnordered'];

/** Finds the capabilities that most agents of a list have, in the spelling of most agents of the registry. */
export async function findOftenListed(
  engine: Engine,
  selectUnordered: SelectUnordered,
  list: SelectedList,
): Promise<SuggestedCapability[]> {
  const isWhole = Object.values(list).every((value) => value === undefined);
  const counted = isWhole ? countAll(engine) : countListed(engine, selectUnordered(list).select('agents.seq'));
  const found = await engine.readMuch(counted);
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
    .groupBy('key')
    .having((having) => having.fn.sum('agents'), '>=', MIN_AGENTS)
    .orderBy('agents', 'desc')
    .orderBy('key')
    .limit(MAX_CAPABILITIES);
}

/** Counts the capabilities of some agents. */
function countListed({ db }: Engine, seqs: ReturnType<ReturnType<SelectUnordered>['select']>) {
  return db
    .selectFrom('agent_capabilities')
    .select(['key', (select) => select.fn.countAll<number>().as('agents')])
    .where('seq', 'in', seqs)
    .groupBy('key')
    .having((having) => having.fn.countAll(), '>=', MIN_AGENTS)
    .orderBy('agents', 'desc')
    .orderBy('key')
    .limit(MAX_CAPABILITIES);
}
