import {
  listCategoryIds,
  pickFilters,
  type Facets,
  type FieldFilter,
  type OptionFilterName,
} from '@agent-registry/contracts';
import { sql } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { fieldColumns } from '../db/records.ts';
import type { FieldColumn } from '../db/tables.ts';
import type { SearchSession } from '../search/search.ts';
import { toKey } from './text-keys.ts';
import {
  isCounted,
  isProvedRow,
  namesOf,
  selectUnordered,
  toConditions,
  type ListFilters,
  type SelectedList,
} from './list-selection.ts';
import { fromSum } from './agent-rows.ts';

/** The agents of a category, those that a text finds, or all. A category wins over a text. */
export type FoundList = ListFilters & {
  text?: string | undefined;
  correct?: boolean | undefined;
  session?: SearchSession | undefined;
};

type FacetCount = Record<OptionFilterName, readonly string[]> & { agents: number };

/** The counts of a list by its facets. */
export type CountedFacets = Pick<Facets, 'totalBound'> & {
  counts: FacetCount[];
  /** Whether a later search may find more, because the words of all agents were not known yet, as after a start. */
  isProvisional: boolean;
};

/** The columns of the facets that `agent_counts` has, and those of the agents. */
const countedColumns = fieldColumns.map(({ column }) => column);
const facetColumns = [...countedColumns, 'connects'] as const;

/** A row of agents with the same facets. */
type Counted = Record<FieldColumn, string> & { agents: number };
type Grouped = Counted & { connects: number; proved: number };

export async function countAgents(engine: Engine, filters: ListFilters = {}): Promise<number> {
  const { capability } = filters;
  const isOnly = namesOf(filters).length === 1;
  if (capability !== undefined && isOnly) {
    const ofKey = engine.db
      .selectFrom('text_keys')
      .where('kind', '=', 'capability')
      .where('key', '=', toKey(capability));
    return (await ofKey.select((rows) => rows.fn.countAll<number>().as('agents')).executeTakeFirstOrThrow()).agents;
  }
  if (!isCounted(filters)) {
    const counted = selectUnordered(engine, filters).select((agents) => agents.fn.countAll<number>().as('agents'));
    return (await counted.executeTakeFirstOrThrow()).agents;
  }
  const { agents } = await engine.db
    .selectFrom('agent_counts')
    .select((select) => select.fn.coalesce(select.fn.sum<number>('agents'), select.lit(0)).as('agents'))
    .where((where) => where.and(toConditions(filters)))
    .executeTakeFirstOrThrow();
  return agents;
}

/** Counts the agents of each category, those that the operator removed included. */
export async function countByCategory(engine: Engine): Promise<Record<string, number>> {
  const rows = await engine.db
    .selectFrom('agent_counts')
    .select(['category', (select) => select.fn.sum<number>('agents').as('agents')])
    .groupBy('category')
    .having((having) => having.fn.sum('agents'), '>', 0)
    .execute();
  const counts = [
    ...listCategoryIds(engine.categories).map((id) => [id, 0]),
    ...rows.map(({ category, agents }) => [category, agents]),
  ];
  return Object.fromEntries(counts) as Record<string, number>;
}

/**
 * Counts the agents of a category, of a text's results, or all, by the filters that have options, with those
 * that are texts applied. Of a text with more results than are counted, it counts the latest ones.
 */
export async function countFacets(
  engine: Engine,
  { category, text, correct, session, ...list }: FoundList,
): Promise<CountedFacets> {
  const filters = pickFilters(list, 'text');
  if (category !== undefined || text === undefined) {
    return { counts: await countListed(engine, { category, ...filters }), isProvisional: false };
  }
  const hits = await engine.search({ text, correct, session, limit: 1 });
  if (!hits || hits.total === 0) return { counts: [], isProvisional: hits?.isProvisional ?? false };
  const { matching, total, totalBound, isProvisional } = hits;
  const matches = selectUnordered(engine, { matching, latest: totalBound && total, ...filters });
  return { counts: await countMatches(engine, matches), totalBound, isProvisional };
}

/**
 * Counts the agents of a list by their facets, where possible without reading them: those that are proved or can be
 * connected to are in indexes of their own.
 */
async function countListed(engine: Engine, list: SelectedList): Promise<FacetCount[]> {
  if (!isCounted(list)) return countMatches(engine, selectUnordered(engine, list));
  const proved = selectUnordered(engine, { ...list, proved: ['yes'] }).where('connects', '=', 0);
  const [counts, ...found] = await Promise.all([
    engine.db
      .selectFrom('agent_counts')
      .select((select) => [...countedColumns, select.fn.sum<number>('agents').as('agents')])
      .where((where) => where.and(toConditions(list)))
      .groupBy(countedColumns)
      .having((having) => having.fn.sum('agents'), '>', 0)
      .$castTo<Counted>()
      .execute(),
    engine.readMuch(group(selectUnordered(engine, list).where(sql<boolean>`connects > 0`))),
    engine.readMuch(group(proved)),
  ]);
  const rest = counts.map((counted) => {
    const same = found.flat().filter((row) => countedColumns.every((column) => row[column] === counted[column]));
    const agents = same.reduce((left, row) => left - row.agents, counted.agents);
    return { ...counted, agents, connects: 0, proved: 0 };
  });
  return merge([...found.flat(), ...rest]);
}

async function countMatches(engine: Engine, matches: ReturnType<typeof selectUnordered>): Promise<FacetCount[]> {
  return merge(await engine.readMuch(group(matches)));
}

function group(agents: ReturnType<typeof selectUnordered>) {
  return agents
    .select((counted) => [
      ...facetColumns,
      counted.fn.countAll<number>().as('agents'),
      counted.fn.countAll<number>().filterWhere(isProvedRow).as('proved'),
    ])
    .groupBy(facetColumns)
    .$castTo<Grouped>();
}

/** The counts of the proved agents and of the others, each combination of values once. */
function merge(rows: readonly Grouped[]): FacetCount[] {
  const split = rows.flatMap(({ connects, agents, proved, ...row }) => {
    const ofFields = Object.fromEntries(fieldColumns.map(({ name, column }) => [name, [row[column]]]));
    const values = { ...(ofFields as Record<FieldFilter['name'], string[]>), connects: fromSum(connects) };
    return [
      { ...values, proved: ['yes'], agents: proved },
      { ...values, proved: [], agents: agents - proved },
    ];
  });
  const same = Map.groupBy(split, (counted) => JSON.stringify({ ...counted, agents: 0 }));
  return [...same.values()].flatMap(([first, ...others]) => {
    const agents = others.reduce((sum, other) => sum + other.agents, first?.agents ?? 0);
    return first && agents > 0 ? [{ ...first, agents }] : [];
  });
}

/** Sums counts, such as those of all categories. */
export function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
