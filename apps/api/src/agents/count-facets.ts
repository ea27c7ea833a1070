import type { Engine } from '../db/engine.ts';
import type { FacetCount } from './agent-store.ts';
import { isProvedRow, isSelected, type ListSelection, type SelectedList } from './list-selection.ts';

const facetColumns = ['pricing_model as pricing', 'api_access as apiAccess'] as const;
const groupedColumns = ['pricing_model', 'api_access'] as const;

/** Agents by the values of their facets but one, that of proved websites. */
type UnprovedCount = Omit<FacetCount, 'proved'>;

/** Creates the functions that count the agents of lists by the values of their facets. */
export function createFacetCounts(engine: Engine, selectUnordered: ListSelection['selectUnordered']) {
  const { db } = engine;
  return { countListed, countIndexed, countMatches };

  /** Counts the agents of a category, or all, without reading them: the proved ones are in an index of their own. */
  function countListed(category: string | undefined): Promise<FacetCount[]> {
    const all = db
      .selectFrom('agent_counts')
      .select((select) => [...facetColumns, select.fn.sum<number>('agents').as('agents')])
      .where((where) => isSelected(where, { category }))
      .groupBy(groupedColumns)
      .having((having) => having.fn.sum('agents'), '>', 0)
      .$castTo<UnprovedCount>();
    return addProved(all.execute(), { category });
  }

  /** Counts the agents of a filter with an index of its own, which has the other facets but not the proved agents. */
  function countIndexed(list: SelectedList): Promise<FacetCount[]> {
    const all = selectUnordered(list)
      .select((counted) => [...facetColumns, counted.fn.countAll<number>().as('agents')])
      .groupBy(groupedColumns);
    return addProved(engine.readMuch(all.$castTo<UnprovedCount>()), list);
  }

  /** Adds to counts of a list how many of the agents are proved; few are, and they are in an index. */
  async function addProved(counting: Promise<UnprovedCount[]>, list: SelectedList): Promise<FacetCount[]> {
    const provedCounts = selectUnordered({ ...list, proved: ['yes'] })
      .select((counted) => [...facetColumns, counted.fn.countAll<number>().as('agents')])
      .groupBy(groupedColumns);
    const [all, proved] = await Promise.all([counting, engine.readMuch(provedCounts)]);
    return all.map((counted) => {
      const { pricing, apiAccess } = counted;
      const same = proved.find((other) => other.pricing === pricing && other.apiAccess === apiAccess);
      return { ...counted, proved: same?.agents ?? 0 };
    });
  }

  /** Counts the matches of a text by the values of their facets. */
  function countMatches(list: SelectedList): Promise<FacetCount[]> {
    return engine.readMuch(
      selectUnordered(list)
        .select((counted) => [
          ...facetColumns,
          counted.fn.countAll<number>().as('agents'),
          counted.fn
            .countAll<number>()
            .filterWhere((where) => isProvedRow(where))
            .as('proved'),
        ])
        .groupBy(groupedColumns)
        .$castTo<FacetCount>(),
    );
  }
}
