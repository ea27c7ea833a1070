import type { ApiAccess, PricingModel } from '@agent-registry/contracts';
import { sql, type SqlBool } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { FacetCount } from './agent-store.ts';
import { isCounted, isProvedRow, toConditions } from './list-conditions.ts';
import { fromSum } from './ways-to-connect.ts';
import type { ListSelection, SelectedList } from './list-selection.ts';

/** The columns of the facets that `agent_counts` has, and those of the agents. */
const countedColumns = ['pricing_model', 'api_access'] as const;
const facetColumns = [...countedColumns, 'connects'] as const;

/** A row of agents with the same facets. */
type Counted = { pricing_model: PricingModel; api_access: ApiAccess; agents: number };
type Grouped = Counted & { connects: number; proved: number };

/** Creates the functions that count the agents of lists by the values of their facets. */
export function createFacetCounts(engine: Engine, selectUnordered: ListSelection['selectUnordered']) {
  const { db } = engine;
  return { countListed, countMatches };

  /**
   * Counts the agents of a list, where possible without reading them: those that are proved or can be connected to are in
   * indexes of their own.
   */
  async function countListed(list: SelectedList): Promise<FacetCount[]> {
    if (!isCounted(list)) return countMatches(list);
    const isConnected = sql<SqlBool>`connects > 0`;
    const [counts, connected, proved] = await Promise.all([
      countCounted(list),
      engine.readMuch(group(list).where(isConnected)),
      engine.readMuch(group({ ...list, proved: ['yes'] }).where('connects', '=', 0)),
    ]);
    const read = [...connected, ...proved];
    const rest = counts.map((counted) => {
      const same = read.filter((row) => countedColumns.every((column) => row[column] === counted[column]));
      const agents = same.reduce((left, row) => left - row.agents, counted.agents);
      return { ...counted, agents, connects: 0, proved: 0 };
    });
    return merge([...read, ...rest]);
  }

  function countCounted(list: SelectedList): Promise<Counted[]> {
    return db
      .selectFrom('agent_counts')
      .select((select) => [...countedColumns, select.fn.sum<number>('agents').as('agents')])
      .where((where) => where.and(toConditions(list)))
      .groupBy(countedColumns)
      .having((having) => having.fn.sum('agents'), '>', 0)
      .$castTo<Counted>()
      .execute();
  }

  function group(list: SelectedList) {
    return selectUnordered(list)
      .select((counted) => [
        ...facetColumns,
        counted.fn.countAll<number>().as('agents'),
        counted.fn.countAll<number>().filterWhere(isProvedRow).as('proved'),
      ])
      .groupBy(facetColumns)
      .$castTo<Grouped>();
  }

  /** Counts the matches of a text by the values of their facets. */
  async function countMatches(list: SelectedList): Promise<FacetCount[]> {
    return merge(await engine.readMuch(group(list)));
  }
}

/** The counts of the proved agents and of the others, each combination of values once. */
function merge(rows: readonly Grouped[]): FacetCount[] {
  const split = rows.flatMap(({ pricing_model, api_access, connects, agents, proved }) => {
    const values = { pricing: [pricing_model], apiAccess: [api_access], connects: fromSum(connects) };
    return [
      { ...values, proved: ['yes' as const], agents: proved },
      { ...values, proved: [], agents: agents - proved },
    ];
  });
  const same = Map.groupBy(split, ({ agents: _, ...values }) => JSON.stringify(values));
  return [...same.values()].flatMap(([first, ...others]) => {
    const agents = others.reduce((sum, other) => sum + other.agents, first?.agents ?? 0);
    return first && agents > 0 ? [{ ...first, agents }] : [];
  });
}
