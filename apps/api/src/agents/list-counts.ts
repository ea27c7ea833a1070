import {
  listCategoryIds,
  pickFilters,
  type Facets,
  type FieldFilter,
  type OptionFilterName,
} from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { fieldColumns } from '../db/records.ts';
import type { FieldColumn } from '../db/tables.ts';
import type { SearchHits, SearchSession } from '../search/search.ts';
import { toKey } from './text-keys.ts';
import {
  isCounted,
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

export type CountedFacets = Pick<Facets, 'totalBound'> & Pick<SearchHits, 'isProvisional'> & { counts: FacetCount[] };

/** The columns of the facets, of agents and of `agent_counts`. */
const facetColumns = [...fieldColumns.map(({ column }) => column), 'connects', 'is_proved'] as const;

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
  { category, text, correct, session, ...others }: FoundList,
): Promise<CountedFacets> {
  const filters = pickFilters(others, 'text');
  if (category !== undefined || text === undefined) {
    return { counts: await countListed(engine, { category, ...filters }), isProvisional: false };
  }
  const hits = await engine.search({ text, correct, session, limit: 1 });
  if (!hits || hits.total === 0) return { counts: [], isProvisional: hits?.isProvisional ?? false };
  const { matching, total, totalBound, isProvisional } = hits;
  const list = { matching, latest: totalBound && total, ...filters };
  return { counts: await countMatches(engine, list), totalBound, isProvisional };
}

async function countListed(engine: Engine, list: SelectedList): Promise<FacetCount[]> {
  if (!isCounted(list)) return countMatches(engine, list);
  const counts = await engine.db
    .selectFrom('agent_counts')
    .select([...facetColumns, (select) => select.fn.sum<number>('agents').as('agents')])
    .where((where) => where.and(toConditions(list)))
    .groupBy(facetColumns)
    .having((having) => having.fn.sum('agents'), '>', 0)
    .execute();
  return counts.map(toFacetCount);
}

async function countMatches(engine: Engine, list: SelectedList): Promise<FacetCount[]> {
  const counts = selectUnordered(engine, list)
    .select([...facetColumns, (select) => select.fn.countAll<number>().as('agents')])
    .groupBy(facetColumns);
  return (await engine.readMuch(counts)).map(toFacetCount);
}

function toFacetCount(row: Record<FieldColumn, string> & { connects: number; is_proved: 0 | 1; agents: number }) {
  const ofFields = Object.fromEntries(fieldColumns.map(({ name, column }) => [name, [row[column]]]));
  return {
    ...(ofFields as Record<FieldFilter['name'], string[]>),
    connects: fromSum(row.connects),
    proved: row.is_proved === 1 ? ['yes'] : [],
    agents: row.agents,
  };
}

export function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
