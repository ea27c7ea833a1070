import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import type { Matching } from '../search/search.ts';
import type { ListFilters } from './agent-store.ts';
import { findConditions, toConditions } from './indexed-filters.ts';
import { toWebsiteKey } from './website-key.ts';

/** The agents of a list, of those that match a text if there is one. */
export type SelectedList = ListFilters & { matching?: Matching };

/** The queries of the agents of lists. */
export type ListSelection = ReturnType<typeof createListSelection>;

/** Creates the functions that select the agents of lists, of those that match a text if there is one. */
export function createListSelection(engine: Engine) {
  return { select, selectUnordered, run };

  /** Selects the agents of a list, in an index of the order of the list or of a filter that leaves few. */
  async function select(list: SelectedList) {
    const conditions = await findConditions(engine.db, list);
    return selectWhere(list, conditions);
  }

  /** Selects the agents of a list in any order, to be counted. */
  function selectUnordered(list: SelectedList) {
    return selectWhere(list, toConditions(list));
  }

  function selectWhere(
    { matching, website, proved, ...filters }: SelectedList,
    conditions: readonly Expression<SqlBool>[],
  ) {
    return engine.db
      .selectFrom('agents')
      .where((where) => where.and([isSelected(where, filters), ...conditions]))
      .$if(proved !== undefined, (query) => query.where((where) => isProvedRow(where)))
      .$if(website !== undefined, (query) => query.where('website_key', '=', toWebsiteKey(website as string)))
      .$if(matching !== undefined, (query) => query.where('seq', 'in', toSeqs(matching as Matching)));
  }

  function toSeqs(matching: Matching) {
    return 'seqs' in matching ? matching.seqs : engine.matching(matching);
  }

  /** Runs a query; one that reads the matches of a text may read much. */
  function run<Row>({ matching }: SelectedList, query: SelectQueryBuilder<Tables, 'agents', Row>): Promise<Row[]> {
    return matching ? engine.readMuch(query) : query.execute();
  }
}

/** The condition of the agents whose owner proved to control the website, which has indexes of its own. */
export function isProvedRow(where: ExpressionBuilder<Tables, 'agents'>) {
  return where.and([where('website_checked_at', 'is not', null), where('website', 'is not', null)]);
}

/** The condition of the agents of a list, in `agents` or `agent_counts`. */
export function isSelected<Table extends 'agents' | 'agent_counts'>(
  where: ExpressionBuilder<Tables, Table>,
  { category, pricing, apiAccess }: Pick<ListFilters, 'category' | 'pricing' | 'apiAccess'>,
) {
  const filters = where as unknown as ExpressionBuilder<Pick<Tables, 'agent_counts'>, 'agent_counts'>;
  return filters.and([
    ...(category === undefined ? [] : [filters('category', '=', category)]),
    ...(pricing === undefined ? [] : [filters('pricing_model', 'in', pricing)]),
    ...(apiAccess === undefined ? [] : [filters('api_access', 'in', apiAccess)]),
  ]);
}
