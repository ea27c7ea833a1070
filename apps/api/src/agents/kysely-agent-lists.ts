import { setImmediate } from 'node:timers/promises';
import {
  fold,
  listCategoryIds,
  MAX_SEARCH_RESULTS,
  parseCursor,
  type Agent,
  type Cursor,
  type SortOrder,
} from '@agent-registry/contracts';
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import type { Matching, SearchRequest } from '../search/search.ts';
import type { Place as SearchPlace } from '../search/page.ts';
import { toAgent } from './agent-rows.ts';
import type { AgentLists, AgentPage, FacetCount, FoundAgents, ListFilters, PagePart } from './agent-store.ts';
import { isBeside, orderTerms, placeOf, type Place, type Side } from './list-orders.ts';
import { toWebsiteKey } from './website-key.ts';

/** Agents per chunk of a stream, few enough that other requests do not wait long. */
export const CHUNK_SIZE = 50;
/** Agents that a stream reads with one statement. */
export const BATCH_SIZE = 200;

/** The agents of a list, of those that match a text if there is one. */
type SelectedList = ListFilters & { matching?: Matching };

/** Such a list in an order. */
type OrderedList = SelectedList & { sort?: SortOrder | undefined };

/** The start of a page: a place in the list, and the side of it that is read. */
type Start = { place: Place; side: Side };

/** The `seq` of no agent. */
const NO_SEQ = 0;

const facetColumns = ['pricing_model as pricing', 'api_access as apiAccess'] as const;
const groupedColumns = ['pricing_model', 'api_access'] as const;

/** Creates the lists, counts and searches of an agent store over a database. */
export function createKyselyAgentLists(engine: Engine): AgentLists {
  const { db } = engine;
  const lists: AgentLists = {
    async list(request) {
      const agents: Agent[] = [];
      for await (const chunk of lists.stream(request)) agents.push(...chunk);
      return agents;
    },

    async *stream(request = {}) {
      let start: Start | undefined;
      for (;;) {
        const rows = await readRows(request, { limit: BATCH_SIZE, start });
        for (let begin = 0; begin < rows.length; begin += CHUNK_SIZE) {
          yield rows.slice(begin, begin + CHUNK_SIZE).map(toAgent);
          // SQLite reads are synchronous: without this pause the stream would block the event loop.
          await setImmediate();
        }
        const last = rows.at(-1);
        if (!last || rows.length < BATCH_SIZE) return;
        start = { place: placeOf(last, request.sort ?? 'newest'), side: 'after' };
      }
    },

    page: (request) => readPage(request, request, () => lists.count(request)),

    async findAll(ids) {
      return (await db.selectFrom('agents').selectAll().where('id', 'in', ids).execute()).map(toAgent);
    },

    async latest({ category, text, correct, limit, ...filters }) {
      const list: SelectedList = { ...filters, category };
      if (category === undefined && text !== undefined) {
        const hits = await engine.search({ text, correct, limit: 1 });
        if (!hits || hits.total === 0) return [];
        list.matching = hits.matching;
      }
      const latest = select(list).selectAll().orderBy('changed_at', 'desc').orderBy('seq', 'desc').limit(limit);
      const rows = await run(list, latest);
      return rows.map((row) => ({ agent: toAgent(row), changedAt: row.changed_at }));
    },

    async lastChange(category) {
      const { changedAt } = await db
        .selectFrom('agent_counts')
        .select((select) => select.fn.max<string | null>('changed_at').as('changedAt'))
        .where((where) => isSelected(where, { category }))
        .executeTakeFirstOrThrow();
      return changedAt ?? undefined;
    },

    async count(filters = {}) {
      if (filters.website !== undefined) {
        const counted = select(filters).select((agents) => agents.fn.countAll<number>().as('agents'));
        return (await counted.executeTakeFirstOrThrow()).agents;
      }
      const { agents } = await db
        .selectFrom('agent_counts')
        .select((select) => select.fn.coalesce(select.fn.sum<number>('agents'), select.lit(0)).as('agents'))
        .where((where) => isSelected(where, filters))
        .executeTakeFirstOrThrow();
      return agents;
    },

    async countByCategory() {
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
    },

    async countFacets({ category, text, correct }) {
      if (category !== undefined || text === undefined) {
        const counts = await db
          .selectFrom('agent_counts')
          .select((select) => [...facetColumns, select.fn.sum<number>('agents').as('agents')])
          .where((where) => isSelected(where, { category }))
          .groupBy(groupedColumns)
          .having((having) => having.fn.sum('agents'), '>', 0)
          .$castTo<FacetCount>()
          .execute();
        return { counts, isProvisional: false };
      }
      const hits = await engine.search({ text, correct, limit: 1 });
      if (!hits || hits.total === 0) return { counts: [], isProvisional: hits?.isProvisional ?? false };
      const counts = await engine.readMuch(
        select({ matching: hits.matching })
          .select((counted) => [...facetColumns, counted.fn.countAll<number>().as('agents')])
          .groupBy(groupedColumns)
          .$castTo<FacetCount>(),
      );
      return { counts, isProvisional: hits.isProvisional };
    },

    async search(request) {
      const {
        text,
        correct,
        pricing,
        apiAccess,
        sort,
        limit = MAX_SEARCH_RESULTS,
        after,
        before,
        from,
        position,
      } = request;
      const filters = { pricing, apiAccess };
      if (sort !== undefined) {
        const hits = await engine.search({ text, correct, filters, limit: 1 });
        if (!hits) return undefined;
        const { matching, total, full, correction, words, isProvisional } = hits;
        const page = await readPage(
          { ...filters, sort, matching },
          { limit, after, before, from, position },
          () => total,
        );
        return page && { ...page, full, correction, words, isProvisional };
      }
      return searchBest({ text, correct, filters }, { limit, after, before, position });
    },
  };
  return lists;

  /** A page of the results of a search, best match first. */
  async function searchBest(
    search: Pick<SearchRequest, 'text' | 'correct' | 'filters'>,
    { limit, after, before, position }: PagePart,
  ): Promise<FoundAgents | undefined> {
    const cursor = parseCursor(after ?? before ?? '');
    if (cursor?.place && cursor.place.order !== 'best') return undefined;
    const start = cursor && (await findResult(cursor));
    const hits = await engine.search({
      ...search,
      limit,
      position,
      ...(start && (after === undefined ? { before: start } : { after: start })),
    });
    if (!hits) return undefined;
    const { seqs, matching: _all, ...found } = hits;
    return { agents: await findAgents(seqs), ...found };
  }

  /** The place of a cursor in the results of a search. A position that would take long to count to is left out. */
  async function findResult({ id, place }: Cursor): Promise<SearchPlace> {
    const row = await db.selectFrom('agents').select('seq').where('id', '=', id).executeTakeFirst();
    const position = Number(place?.values[0] ?? Infinity);
    return { seq: row?.seq ?? NO_SEQ, position: position <= MAX_SEARCH_RESULTS ? position : undefined };
  }

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
  function readRows(
    { sort = 'newest', ...selection }: OrderedList,
    { limit, start }: { limit: number; start: Start | undefined },
  ): Promise<AgentRow[]> {
    const rows = orderTerms(sort, start?.side ?? 'after').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      select(selection)
        .selectAll()
        .$if(start !== undefined, (query) => query.where((where) => isBeside(where, { ...(start as Start), sort }))),
    );
    return run(selection, rows.limit(limit));
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
      select(selection)
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
    const [row] = await run(selection, select(selection).selectAll().where('id', '=', id));
    return row ? { place: placeOf(row, sort), side } : null;
  }

  /** The start of a page at a text in the order of names; undefined for the first page. */
  async function findStartOfName(selection: OrderedList, from: string): Promise<Start | undefined> {
    const earlier = orderTerms('name', 'before').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      select(selection).selectAll().where('sort_name', '<', fold(from)),
    );
    const [row] = await run(selection, earlier.limit(1));
    return row && { place: placeOf(row, 'name'), side: 'after' };
  }

  function select({ matching, website, ...filters }: SelectedList) {
    return db
      .selectFrom('agents')
      .where((where) => isSelected(where, filters))
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

  async function findAgents(seqs: readonly number[]): Promise<Agent[]> {
    if (seqs.length === 0) return [];
    const rows = await db.selectFrom('agents').selectAll().where('seq', 'in', seqs).execute();
    const rowsBySeq = new Map(rows.map((row) => [row.seq, row]));
    return seqs.flatMap((seq) => rowsBySeq.get(seq) ?? []).map(toAgent);
  }
}

/** The condition of the agents of a list, in `agents` or `agent_counts`. */
function isSelected<Table extends 'agents' | 'agent_counts'>(
  where: ExpressionBuilder<Tables, Table>,
  { category, pricing, apiAccess }: ListFilters,
) {
  const filters = where as unknown as ExpressionBuilder<Pick<Tables, 'agent_counts'>, 'agent_counts'>;
  return filters.and([
    ...(category === undefined ? [] : [filters('category', '=', category)]),
    ...(pricing === undefined ? [] : [filters('pricing_model', 'in', pricing)]),
    ...(apiAccess === undefined ? [] : [filters('api_access', 'in', apiAccess)]),
  ]);
}
