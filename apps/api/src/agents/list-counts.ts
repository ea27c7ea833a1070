import {
  listCategoryIds,
  pickFilters,
  type AgentFilters,
  type Facets,
  type OptionFilterName,
} from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import type { SearchSession } from '../search/search.ts';
import { toKey } from '../search/suggestion-keys.ts';
import {
  isCounted,
  isProvedRow,
  namesOf,
  toConditions,
  type ListFilters,
  type ListSelection,
  type SelectedList,
} from './list-selection.ts';
import { countCapability, findOftenListed } from './often-listed.ts';

/** The agents of a category, those that a text finds, or all. A category wins over a text. */
export type FoundList = ListFilters & {
  text?: string | undefined;
  correct?: boolean | undefined;
  session?: SearchSession | undefined;
};

/** The number of agents with a value of each filter that has options, or without one. */
type FacetCount = { [Name in OptionFilterName]: NonNullable<AgentFilters[Name]>[number] | undefined } & {
  agents: number;
};

/** The counts of a list by its facets, and the capabilities that most of its agents have. */
export type CountedFacets = Pick<Facets, 'capabilities'> & {
  counts: FacetCount[];
  /** Whether a later search may find more, because the words of all agents were not known yet, as after a start. */
  isProvisional: boolean;
};

const facetColumns = ['pricing_model as pricing', 'api_access as apiAccess'] as const;
const groupedColumns = ['pricing_model', 'api_access'] as const;

/** Agents by the facets that are columns. */
type Counted = Omit<FacetCount, 'proved'>;

/** Creates the counts of lists. */
export function createListCounts(engine: Engine, { selectUnordered }: ListSelection) {
  const { db } = engine;
  return { count, countByCategory, countFacets };

  /** Counts the agents of a list. */
  async function count(filters: ListFilters = {}): Promise<number> {
    const { capability } = filters;
    const isOnly = namesOf(filters).length === 1;
    if (capability !== undefined && isOnly) return countCapability(db, toKey(capability));
    if (!isCounted(filters)) {
      const counted = selectUnordered(filters).select((agents) => agents.fn.countAll<number>().as('agents'));
      return (await counted.executeTakeFirstOrThrow()).agents;
    }
    const { agents } = await db
      .selectFrom('agent_counts')
      .select((select) => select.fn.coalesce(select.fn.sum<number>('agents'), select.lit(0)).as('agents'))
      .where((where) => where.and(toConditions(filters)))
      .executeTakeFirstOrThrow();
    return agents;
  }

  /** Counts the agents of each category, those that the operator removed included. */
  async function countByCategory(): Promise<Record<string, number>> {
    const rows = await db
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
   * that are texts applied; and finds the capabilities that most of them have, with all filters but `capability` applied.
   */
  async function countFacets({ category, text, correct, session, ...list }: FoundList): Promise<CountedFacets> {
    const indexed = pickFilters(list, 'text');
    const { capability: _own, ...filters } = pickFilters(list);
    const isFiltered = Object.keys(filters).length > 0;
    const findCapabilities = (subject: SelectedList, total?: number) =>
      findOftenListed(
        engine,
        selectUnordered({ ...filters, ...subject }).select('agents.seq'),
        isFiltered || category !== undefined ? undefined : (total ?? 'all'),
      );
    if (category !== undefined || text === undefined) {
      const [counts, capabilities] = await Promise.all([
        countListed(engine, selectUnordered, { category, ...indexed }),
        findCapabilities({ category }),
      ]);
      return { counts, capabilities, isProvisional: false };
    }
    const hits = await engine.search({ text, correct, session, limit: 1 });
    if (!hits || hits.total === 0) return { counts: [], capabilities: [], isProvisional: hits?.isProvisional ?? false };
    const { matching, isProvisional } = hits;
    const [counts, capabilities] = await Promise.all([
      countMatches(engine, selectUnordered({ matching, ...indexed })),
      findCapabilities({ matching }, hits.total),
    ]);
    return { counts, capabilities, isProvisional };
  }
}

/** Counts the agents of a list by their facets, where possible without reading them: the proved ones are in an index of their own. */
async function countListed(
  engine: Engine,
  selectUnordered: ListSelection['selectUnordered'],
  list: SelectedList,
): Promise<FacetCount[]> {
  const group = (grouped: SelectedList) =>
    selectUnordered(grouped)
      .select((counted) => [...facetColumns, counted.fn.countAll<number>().as('agents')])
      .groupBy(groupedColumns)
      .$castTo<Counted>();
  const countCounted = () =>
    engine.db
      .selectFrom('agent_counts')
      .select((select) => [...facetColumns, select.fn.sum<number>('agents').as('agents')])
      .where((where) => where.and(toConditions(list)))
      .groupBy(groupedColumns)
      .having((having) => having.fn.sum('agents'), '>', 0)
      .$castTo<Counted>()
      .execute();
  const all = isCounted(list) ? countCounted() : engine.readMuch(group(list));
  const [counts, proved] = await Promise.all([all, engine.readMuch(group({ ...list, proved: ['yes'] }))]);
  return counts.flatMap((counted) => {
    const same = proved.find(
      ({ pricing, apiAccess }) => pricing === counted.pricing && apiAccess === counted.apiAccess,
    );
    return split({ ...counted, proved: same?.agents ?? 0 });
  });
}

/** Counts the matches of a text by their facets. */
async function countMatches(
  engine: Engine,
  matches: ReturnType<ListSelection['selectUnordered']>,
): Promise<FacetCount[]> {
  const counts = await engine.readMuch(
    matches
      .select((counted) => [
        ...facetColumns,
        counted.fn.countAll<number>().as('agents'),
        counted.fn.countAll<number>().filterWhere(isProvedRow).as('proved'),
      ])
      .groupBy(groupedColumns)
      .$castTo<Counted & { proved: number }>(),
  );
  return counts.flatMap(split);
}

/** The counts of the proved agents and of the others. */
function split({ agents, proved, ...values }: Counted & { proved: number }): FacetCount[] {
  const counts: FacetCount[] = [
    { ...values, proved: 'yes', agents: proved },
    { ...values, proved: undefined, agents: agents - proved },
  ];
  return counts.filter((counted) => counted.agents > 0);
}
