import type { Engine } from '../db/engine.ts';
import type { FacetCount } from './agent-store.ts';
import { isCounted, isProvedRow, toConditions } from './list-conditions.ts';
import type { ListSelection, SelectedList } from './list-selection.ts';

const facetColumns = ['pricing_model as pricing', 'api_access as apiAccess'] as const;
const groupedColumns = ['pricing_model', 'api_access'] as const;

/** Agents by the facets that are columns. */
type Counted = Omit<FacetCount, 'proved'>;

/** Creates the functions that count the agents of lists by the values of their facets. */
export function createFacetCounts(engine: Engine, selectUnordered: ListSelection['selectUnordered']) {
  const { db } = engine;
  return { countListed, countMatches };

  /** Counts the agents of a list, where possible without reading them: the proved ones are in an index of their own. */
  async function countListed(list: SelectedList): Promise<FacetCount[]> {
    const all = isCounted(list) ? countCounted(list) : engine.readMuch(group(list));
    const [counts, proved] = await Promise.all([all, engine.readMuch(group({ ...list, proved: ['yes'] }))]);
    return counts.flatMap((counted) => {
      const same = proved.find(
        ({ pricing, apiAccess }) => pricing === counted.pricing && apiAccess === counted.apiAccess,
      );
      return split({ ...counted, proved: same?.agents ?? 0 });
    });
  }

  function countCounted(list: SelectedList): Promise<Counted[]> {
    return db
      .selectFrom('agent_counts')
      .select((select) => [...facetColumns, select.fn.sum<number>('agents').as('agents')])
      .where((where) => where.and(toConditions(list)))
      .groupBy(groupedColumns)
      .having((having) => having.fn.sum('agents'), '>', 0)
      .$castTo<Counted>()
      .execute();
  }

  function group(list: SelectedList) {
    return selectUnordered(list)
      .select((counted) => [...facetColumns, counted.fn.countAll<number>().as('agents')])
      .groupBy(groupedColumns)
      .$castTo<Counted>();
  }

  /** Counts the matches of a text by the values of their facets. */
  async function countMatches(list: SelectedList): Promise<FacetCount[]> {
    const counts = await engine.readMuch(
      selectUnordered(list)
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
}

/** The counts of the proved agents and of the others. */
function split({ agents, proved, ...values }: Counted & { proved: number }): FacetCount[] {
  const counts: FacetCount[] = [
    { ...values, proved: 'yes', agents: proved },
    { ...values, proved: undefined, agents: agents - proved },
  ];
  return counts.filter((counted) => counted.agents > 0);
}
