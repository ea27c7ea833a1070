import { MAX_PAGE_BYTES, MAX_SEARCH_RESULTS, parseCursor, pickFilters, type Cursor } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { takeWithin } from '../db/take-within.ts';
import type { Place as SearchPlace } from '../search/page.ts';
import type { SearchRequest } from '../search/search.ts';
import { toKey } from '../suggestions/suggestion-keys.ts';
import type { AgentLists, FoundAgents, PagePart, SearchAgentsRequest } from './agent-store.ts';
import type { ListPages } from './list-pages.ts';

/** The `seq` of no agent. */
const NO_SEQ = 0;

/** Creates the searches of an agent store over a database. */
export function createAgentSearches(engine: Engine, pages: ListPages): Pick<AgentLists, 'search' | 'searchWhole'> {
  const { db } = engine;
  return {
    async search({ limit = MAX_SEARCH_RESULTS, ...request }) {
      const { sort, after, before, from, position, maxBytes } = request;
      const search = toSearch(request);
      if (sort === undefined) return searchBest(search, { limit, after, before, maxBytes });
      const hits = await engine.search({ ...search, limit: 1 });
      if (!hits) return undefined;
      const { matching, total, full, correction, understood, words, telling, isProvisional } = hits;
      const list = { ...pickFilters(request), sort, matching };
      const part = { limit, after, before, from, position, maxBytes };
      const page = await pages.readPage(list, part, () => total);
      return page && { ...page, full, correction, understood, words, telling, isProvisional };
    },

    async searchWhole(request) {
      const { sort } = request;
      const hits = await engine.search({
        ...toSearch(request),
        limit: sort === undefined ? MAX_SEARCH_RESULTS : 1,
      });
      if (!hits) throw new Error('A search without a cursor has no results.');
      const { seqs: best, matching, total, full, correction, understood, words, telling, isProvisional } = hits;
      const seqs =
        sort === undefined
          ? best
          : await pages.readOrder(sort, { ...pickFilters(request), matching }, MAX_SEARCH_RESULTS);
      const end = total > seqs.length ? seqs.slice(-1) : [];
      const [last] = await pages.readAgents(await pages.findKeys('seq', end));
      const found = { total, full, correction, understood, words, telling, isProvisional };
      return { ...found, last, length: seqs.length, stream: () => pages.streamRows(seqs) };
    },
  };

  /** A page of the results of a search, best match first. */
  async function searchBest(
    search: Pick<SearchRequest, 'text' | 'correct' | 'filters' | 'session'>,
    { limit, after, before, maxBytes = MAX_PAGE_BYTES }: PagePart,
  ): Promise<FoundAgents | undefined> {
    const cursor = parseCursor(after ?? before ?? '');
    if (cursor?.place && cursor.place.order !== 'best') return undefined;
    const start = cursor && (await findResult(cursor));
    const isBefore = start !== undefined && after === undefined;
    const hits = await engine.search({
      ...search,
      limit,
      ...(start && (isBefore ? { before: start } : { after: start })),
    });
    if (!hits) return undefined;
    const { seqs, matching: _all, unknownTerms: _cost, hasMore, hasPrevious, position, ...found } = hits;
    const keys = await pages.findKeys('seq', seqs);
    // The page ends at its cursor, or starts there.
    const taken = isBefore ? takeWithin(keys.toReversed(), maxBytes).toReversed() : takeWithin(keys, maxBytes);
    const left = keys.length - taken.length;
    return {
      agents: await pages.readAgents(taken),
      hasMore: hasMore || (left > 0 && !isBefore),
      hasPrevious: hasPrevious || (left > 0 && isBefore),
      position: position !== undefined && isBefore ? position + left : position,
      ...found,
    };
  }

  /** The place of a cursor in the results of a search. */
  async function findResult({ id, place }: Cursor): Promise<SearchPlace> {
    const row = await db.selectFrom('agents').select('seq').where('id', '=', id).executeTakeFirst();
    const position = Number(place?.values[0]);
    return { seq: row?.seq ?? NO_SEQ, position: Number.isSafeInteger(position) ? position : undefined };
  }
}

function toSearch(request: SearchAgentsRequest) {
  const { text, correct, session } = request;
  const filters = pickFilters(request);
  const capability = filters.capability === undefined ? undefined : toKey(filters.capability);
  return { text, correct, session, filters: { ...filters, capability } };
}
