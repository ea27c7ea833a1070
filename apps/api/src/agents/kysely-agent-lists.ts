import { setImmediate } from 'node:timers/promises';
import { fold, listCategoryIds, MAX_SEARCH_RESULTS, type Agent, type SortOrder } from '@agent-registry/contracts';
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import type { Matching } from '../search/search.ts';
import { toAgent } from './agent-rows.ts';
import type { AgentLists, AgentPage, FacetCount, ListFilters, PagePart } from './agent-store.ts';
import { isBeside, orderTerms, type Side } from './list-orders.ts';
import { toWebsiteKey } from './website-key.ts';

/** Agents per chunk of a stream, few enough that other requests do not wait long. */
export const CHUNK_SIZE = 50;
/** Agents that a stream reads with one statement. */
export const BATCH_SIZE = 200;

/** The agents of a list, of those that match a text if there is one. */
type SelectedList = ListFilters & { matching?: Matching };

/** A cursor: an agent, and the side of it that is read. */
type Cursor = { row: AgentRow; side: Side };

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
      let cursor: Cursor | undefined;
      for (;;) {
        const rows = await readRows(request, { limit: BATCH_SIZE, cursor });
        for (let begin = 0; begin < rows.length; begin += CHUNK_SIZE) {
          yield rows.slice(begin, begin + CHUNK_SIZE).map(toAgent);
          // SQLite reads are synchronous: without this pause the stream would block the event loop.
          await setImmediate();
        }
        const last = rows.at(-1);
        if (!last || rows.length < BATCH_SIZE) return;
        cursor = { row: last, side: 'after' };
      }
    },

    page: (request) => readPage(request, request, () => lists.count(request)),

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
        ...listCategoryIds().map((id) => [id, 0]),
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
      const cursor = await findCursor({}, { after, before });
      if (cursor === null) return undefined;
      const place = cursor && { [cursor.side]: { seq: cursor.row.seq } };
      const hits = await engine.search({ text, correct, filters, limit, position, ...place });
      if (!hits) return undefined;
      const { seqs, total, full, hasMore, hasPrevious, correction, words, isProvisional } = hits;
      return {
        agents: await findAgents(seqs),
        total,
        hasMore,
        hasPrevious,
        full,
        correction,
        words,
        isProvisional,
        ...(position && { position: hits.position }),
      };
    },
  };
  return lists;

  async function readPage(
    list: SelectedList & { sort?: SortOrder | undefined },
    { limit, after, before, from, position }: PagePart,
    count: () => number | Promise<number>,
  ): Promise<AgentPage | undefined> {
    const cursor = await (from === undefined ? findCursor(list, { after, before }) : findCursorOfName(list, from));
    if (cursor === null) return undefined;
    const rows = await readRows(list, { limit: limit + 1, cursor });
    const page = rows.slice(0, limit);
    const isLonger = rows.length > limit;
    const isBefore = cursor?.side === 'before';
    if (isBefore) page.reverse();
    return {
      agents: page.map(toAgent),
      total: await count(),
      hasMore: isBefore || isLonger,
      hasPrevious: cursor !== undefined && (!isBefore || isLonger),
      ...(position && { position: await findPosition(list, cursor, page.length) }),
    };
  }

  /** The first rows of a list, or those next to a cursor, nearest first. */
  function readRows(
    { sort = 'newest', ...selection }: SelectedList & { sort?: SortOrder | undefined },
    { limit, cursor }: { limit: number; cursor: Cursor | undefined },
  ): Promise<AgentRow[]> {
    const rows = orderTerms(sort, cursor?.side ?? 'after').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      select(selection)
        .selectAll()
        .$if(cursor !== undefined, (query) => query.where((where) => isBeside(where, { ...(cursor as Cursor), sort }))),
    );
    return run(selection, rows.limit(limit));
  }

  /** The position of the first agent of a page, from 1. */
  async function findPosition(
    { sort = 'newest', ...selection }: SelectedList & { sort?: SortOrder | undefined },
    cursor: Cursor | undefined,
    length: number,
  ): Promise<number> {
    if (!cursor) return 1;
    const [counted] = await run(
      selection,
      select(selection)
        .select((earlier) => earlier.fn.countAll<number>().as('agents'))
        .where((where) => isBeside(where, { row: cursor.row, side: 'before', sort })),
    );
    const earlier = counted?.agents ?? 0;
    return cursor.side === 'after' ? earlier + 2 : earlier - length + 1;
  }

  /** The cursor of a page; null when its agent is not in the list. */
  async function findCursor(
    selection: SelectedList,
    { after, before }: Pick<PagePart, 'after' | 'before'>,
  ): Promise<Cursor | undefined | null> {
    const id = after ?? before;
    if (id === undefined) return undefined;
    const [row] = await run(selection, select(selection).selectAll().where('id', '=', id));
    return row ? { row, side: after === undefined ? 'before' : 'after' } : null;
  }

  /** The cursor of a page that starts at a text in the order of names; undefined for the first page. */
  async function findCursorOfName(selection: SelectedList, from: string): Promise<Cursor | undefined> {
    const earlier = orderTerms('name', 'before').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      select(selection).selectAll().where('sort_name', '<', fold(from)),
    );
    const [row] = await run(selection, earlier.limit(1));
    return row && { row, side: 'after' };
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
