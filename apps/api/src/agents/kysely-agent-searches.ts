import { MAX_SEARCH_RESULTS, parseCursor, pickFilters, type Cursor } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import type { Place as SearchPlace } from '../search/page.ts';
import type { SearchRequest } from '../search/search.ts';
import { toKey } from '../suggestions/suggestion-keys.ts';
import { toAgent } from './agent-rows.ts';
import type { AgentLists, FoundAgents, PagePart } from './agent-store.ts';
import type { ListPages } from './kysely-list-pages.ts';

/** The `seq` of no agent. */
const NO_SEQ = 0;

/** Creates the search of an agent store over a database. */
export function createAgentSearches(engine: Engine, { readPage, readInOrder }: ListPages): Pick<AgentLists, 'search'> {
  const { db } = engine;
  return {
    async search(request) {
      const { text, correct, sort, limit = MAX_SEARCH_RESULTS, after, before, from, position, session } = request;
      const list = pickFilters(request);
      const filters = { ...list, capability: list.capability === undefined ? undefined : toKey(list.capability) };
      if (sort !== undefined) {
        const hits = await engine.search({ text, correct, filters, session, limit: 1 });
        if (!hits) return undefined;
        const { matching, total, full, correction, understood, words, telling, isProvisional } = hits;
        const page = await readPage({ ...list, sort, matching }, { limit, after, before, from, position }, () => total);
        return page && { ...page, full, correction, understood, words, telling, isProvisional };
      }
      return searchBest({ text, correct, filters, session }, { limit, after, before });
    },
  };

  /** A page of the results of a search, best match first. */
  async function searchBest(
    search: Pick<SearchRequest, 'text' | 'correct' | 'filters' | 'session'>,
    { limit, after, before }: PagePart,
  ): Promise<FoundAgents | undefined> {
    const cursor = parseCursor(after ?? before ?? '');
    if (cursor?.place && cursor.place.order !== 'best') return undefined;
    const start = cursor && (await findResult(cursor));
    const hits = await engine.search({
      ...search,
      limit,
      ...(start && (after === undefined ? { before: start } : { after: start })),
    });
    if (!hits) return undefined;
    const { seqs, matching: _all, unknownTerms: _cost, ...found } = hits;
    return { agents: (await readInOrder(seqs)).map(toAgent), ...found };
  }

  /** The place of a cursor in the results of a search. */
  async function findResult({ id, place }: Cursor): Promise<SearchPlace> {
    const row = await db.selectFrom('agents').select('seq').where('id', '=', id).executeTakeFirst();
    const position = Number(place?.values[0]);
    return { seq: row?.seq ?? NO_SEQ, position: Number.isSafeInteger(position) ? position : undefined };
  }
}
