import { parseCursor, toSortName, type SortOrder } from '@agent-registry/contracts';
import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import type { Matching } from '../search/search.ts';
import { toAgent } from './agent-rows.ts';
import type { AgentPage, ListFilters, PagePart } from './agent-store.ts';
import { findConditions, toConditions } from './indexed-filters.ts';
import { isBeside, orderTerms, placeOf, type Place, type Side } from './list-orders.ts';
import { toWebsiteKey } from './website-key.ts';

/** The agents of a list, of those that match a text if there is one. */
export type SelectedList = ListFilters & { matching?: Matching };

/** Such a list in an order. */
export type OrderedList = SelectedList & { sort?: SortOrder | undefined };

/** The start of a page: a place in the list, and the side of it that is read. */
export type Start = { place: Place; side: Side };

/** Creates the functions that read the rows and pages of a list, of those that match a text if there is one. */
export function createListPages(engine: Engine) {
  return { select, selectUnordered, run, readPage, readBatches, readInOrder };

  async function readPage(
    list: OrderedList,
    { limit, after, before, from, position }: PagePart,
    count: () => number | Promise<number>,
  ): Promise<AgentPage | undefined> {
    const start = await (from === undefined ? findStart(list, { after, before }) : findStartOfName(list, from));
    if (start === null) return undefined;
    const rows = await readRows(list, { limit: limit + 1, start });
    const page = rows.slice(0, limit);
    const isLonger = rows.length > limit;
    const isBefore = start?.side === 'before';
    if (isBefore) page.reverse();
    return {
      agents: page.map(toAgent),
      total: await count(),
      hasMore: isBefore || isLonger,
      hasPrevious: start !== undefined && (!isBefore || isLonger),
      ...(position && { position: await findPosition(list, start, page.length) }),
    };
  }

  /** The first rows of a list, or those beside a start, nearest first. */
  async function readRows(
    { sort = 'newest', ...selection }: OrderedList,
    { limit, start }: { limit: number; start: Start | undefined },
  ): Promise<AgentRow[]> {
    const rows = orderTerms(sort, start?.side ?? 'after').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      (await select(selection))
        .selectAll()
        .$if(start !== undefined, (query) => query.where((where) => isBeside(where, { ...(start as Start), sort }))),
    );
    return run(selection, rows.limit(limit));
  }

  /**
   * Reads a whole list in batches. No place in the order `newest` ever changes, so each batch starts at the last one's end;
   * in another order an edit moves an agent past that, so the order is read first, as row numbers only.
   */
  async function* readBatches(list: OrderedList, size: number): AsyncGenerator<AgentRow[], void, undefined> {
    if (list.sort !== undefined && list.sort !== 'newest') {
      const seqs = await readOrder(list.sort, list);
      for (let begin = 0; begin < seqs.length; begin += size) yield readInOrder(seqs.slice(begin, begin + size));
      return;
    }
    let start: Start | undefined;
    for (;;) {
      const rows = await readRows(list, { limit: size, start });
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < size) return;
      start = { place: placeOf(last, 'newest'), side: 'after' };
    }
  }

  /** The row numbers of a list in its order. */
  async function readOrder(sort: SortOrder, list: SelectedList): Promise<number[]> {
    const ordered = orderTerms(sort, 'after').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      (await select(list)).select('seq'),
    );
    return (await engine.readMuch(ordered)).map(({ seq }) => seq);
  }

  /** Reads rows in an order, without those that are gone. */
  async function readInOrder(seqs: readonly number[]): Promise<AgentRow[]> {
    if (seqs.length === 0) return [];
    const rows = await engine.db.selectFrom('agents').selectAll().where('seq', 'in', seqs).execute();
    const rowsBySeq = new Map(rows.map((row) => [row.seq, row]));
    return seqs.flatMap((seq) => rowsBySeq.get(seq) ?? []);
  }

  /** The position of the first agent of a page, from 1. */
  async function findPosition(
    { sort = 'newest', ...selection }: OrderedList,
    start: Start | undefined,
    length: number,
  ): Promise<number> {
    if (!start) return 1;
    const { place, side } = start;
    const [counted] = await run(
      selection,
      (await select(selection))
        .select((earlier) => earlier.fn.countAll<number>().as('agents'))
        // The agent of the place comes before a page that starts after it.
        .where((where) => isBeside(where, { place, side: 'before', sort, isIncluded: side === 'after' })),
    );
    const earlier = counted?.agents ?? 0;
    return side === 'after' ? earlier + 1 : earlier - length + 1;
  }

  /** The start of a page; null when its cursor is of another order, or an id that is not in the list. */
  async function findStart(
    { sort = 'newest', ...selection }: OrderedList,
    { after, before }: Pick<PagePart, 'after' | 'before'>,
  ): Promise<Start | undefined | null> {
    const cursor = parseCursor(after ?? before ?? '');
    if (!cursor) return undefined;
    const { id, place } = cursor;
    const side = after === undefined ? 'before' : 'after';
    if (place) return place.order === sort ? { place: { id, values: place.values }, side } : null;
    const [row] = await run(selection, (await select(selection)).selectAll().where('id', '=', id));
    return row ? { place: placeOf(row, sort), side } : null;
  }

  /** The start of a page at a text in the order of names; undefined for the first page. */
  async function findStartOfName(selection: OrderedList, from: string): Promise<Start | undefined> {
    const earlier = orderTerms('name', 'before').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      (await select(selection)).selectAll().where('sort_name', '<', toSortName(from)),
    );
    const [row] = await run(selection, earlier.limit(1));
    return row && { place: placeOf(row, 'name'), side: 'after' };
  }

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
