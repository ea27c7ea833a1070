import { setImmediate } from 'node:timers/promises';
import { listCategoryIds, MAX_SEARCH_RESULTS, parseCursor, type Agent, type Cursor } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import type { SearchRequest } from '../search/search.ts';
import type { Place as SearchPlace } from '../search/page.ts';
import { findSuggestions } from '../suggestions/find-suggestions.ts';
import { toKey } from '../suggestions/suggestion-keys.ts';
import { toAgent } from './agent-rows.ts';
import type { AgentLists, FoundAgents, PagePart } from './agent-store.ts';
import { createFacetCounts } from './count-facets.ts';
import { countCapability } from './indexed-filters.ts';
import { createListPages, isSelected, type SelectedList } from './kysely-list-pages.ts';
import { findOftenListed } from './often-listed.ts';

/** Agents per chunk of a stream, few enough that other requests do not wait long. */
export const CHUNK_SIZE = 50;
/** Agents that a stream reads with one statement. */
export const BATCH_SIZE = 200;

/** The `seq` of no agent. */
const NO_SEQ = 0;

/** Creates the lists, counts and searches of an agent store over a database. */
export function createKyselyAgentLists(engine: Engine): AgentLists {
  const { db } = engine;
  const { select, selectUnordered, run, readPage, readBatches, readInOrder } = createListPages(engine);
  const facets = createFacetCounts(engine, selectUnordered);
  const lists: AgentLists = {
    async list(request) {
      const agents: Agent[] = [];
      for await (const chunk of lists.stream(request)) agents.push(...chunk);
      return agents;
    },

    async *stream(request = {}) {
      for await (const rows of readBatches(request, BATCH_SIZE)) {
        for (let begin = 0; begin < rows.length; begin += CHUNK_SIZE) {
          yield rows.slice(begin, begin + CHUNK_SIZE).map(toAgent);
          // SQLite reads are synchronous: without this pause the stream would block the event loop.
          await setImmediate();
        }
      }
    },

    page: (request) => readPage(request, request, () => lists.count(request)),

    async findAll(ids) {
      return (await db.selectFrom('agents').selectAll().where('id', 'in', ids).execute()).map(toAgent);
    },

    async latest({ category, text, correct, limit, session, ...filters }) {
      const list: SelectedList = { ...filters, category };
      if (category === undefined && text !== undefined) {
        const hits = await engine.search({ text, correct, session, limit: 1 });
        if (!hits || hits.total === 0) return [];
        list.matching = hits.matching;
      }
      const latest = (await select(list)).selectAll().orderBy('changed_at', 'desc').orderBy('seq', 'desc').limit(limit);
      const rows = await run(list, latest);
      return rows.map((row) => ({ agent: toAgent(row), changedAt: row.changed_at }));
    },

    suggest: (text) => findSuggestions(db, text),

    async lastChange(category) {
      const { changedAt } = await db
        .selectFrom('agent_counts')
        .select((select) => select.fn.max<string | null>('changed_at').as('changedAt'))
        .where((where) => isSelected(where, { category }))
        .executeTakeFirstOrThrow();
      return changedAt ?? undefined;
    },

    async count(filters = {}) {
      const { category, pricing, apiAccess, capability, since, proved, website } = filters;
      const isFiltered = [category, pricing, apiAccess, since, proved, website].some((value) => value !== undefined);
      if (capability !== undefined && !isFiltered) return countCapability(db, toKey(capability));
      // The table of counts knows none of these.
      if ([capability, since, proved, website].some((value) => value !== undefined)) {
        const counted = selectUnordered(filters).select((agents) => agents.fn.countAll<number>().as('agents'));
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

    async countFacets({ category, text, correct, capability, since, session, ...filters }) {
      const indexed = { capability, since };
      const isFiltered = [...Object.values(filters), since].some((value) => value !== undefined);
      const findCapabilities = (list: SelectedList, total?: number) =>
        findOftenListed(engine, selectUnordered, {
          list: { ...filters, since, ...list },
          total: isFiltered ? undefined : total,
        });
      if (category !== undefined || text === undefined) {
        const isIndexed = capability !== undefined || since !== undefined;
        const [counts, capabilities] = await Promise.all([
          isIndexed ? facets.countIndexed({ category, ...indexed }) : facets.countListed(category),
          findCapabilities({ category }),
        ]);
        return { counts, capabilities, isProvisional: false };
      }
      const hits = await engine.search({ text, correct, session, limit: 1 });
      if (!hits || hits.total === 0)
        return { counts: [], capabilities: [], isProvisional: hits?.isProvisional ?? false };
      const { matching, isProvisional } = hits;
      const [counts, capabilities] = await Promise.all([
        facets.countMatches({ matching, ...indexed }),
        findCapabilities({ matching }, hits.total),
      ]);
      return { counts, capabilities, isProvisional };
    },

    async search(request) {
      const {
        text,
        correct,
        pricing,
        apiAccess,
        proved,
        capability,
        since,
        sort,
        limit = MAX_SEARCH_RESULTS,
        after,
        before,
        from,
        position,
        session,
      } = request;
      const filters = {
        pricing,
        apiAccess,
        proved,
        capability: capability === undefined ? undefined : toKey(capability),
        since,
      };
      if (sort !== undefined) {
        const hits = await engine.search({ text, correct, filters, session, limit: 1 });
        if (!hits) return undefined;
        const { matching, total, full, correction, understood, words, telling, isProvisional } = hits;
        const page = await readPage(
          { pricing, apiAccess, proved, capability, since, sort, matching },
          { limit, after, before, from, position },
          () => total,
        );
        return page && { ...page, full, correction, understood, words, telling, isProvisional };
      }
      return searchBest({ text, correct, filters, session }, { limit, after, before });
    },
  };
  return lists;

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
