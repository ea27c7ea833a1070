import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import type { Matching } from '../search/search.ts';
import type { ListFilters } from './agent-store.ts';
import { findConditions, toConditions } from './list-conditions.ts';

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

  function selectWhere({ matching }: SelectedList, conditions: readonly Expression<SqlBool>[]) {
    return engine.db
      .selectFrom('agents')
      .where((where) => where.and(conditions))
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
