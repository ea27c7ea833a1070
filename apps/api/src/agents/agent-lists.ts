import {
  MAX_PAGE_BYTES,
  MAX_SEARCH_RESULTS,
  parseCursor,
  pickFilters,
  type AgentFilters,
  type CategoryId,
  type Cursor,
  type ListedAgent,
  type SortOrder,
} from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import type { AgentRow } from '../db/tables.ts';
import { takeWithin, toAgent } from '../db/records.ts';
import { RegistryError } from '../registry-error.ts';
import type { Place as SearchPlace, SearchHits, SearchRequest, SearchSession } from '../search/search.ts';
import { toKey } from './text-keys.ts';
import { createListCounts, type FoundList } from './list-counts.ts';
import { createMonthLists } from './list-months.ts';
import { createListPages, type AgentPage, type ListPages, type PagePart } from './list-pages.ts';
import { createListSelection, toConditions, type ListFilters, type SelectedList } from './list-selection.ts';

/** Where clients find the contact addresses: everywhere, or on the page of an agent and in the call that reads it. */
export type PublicContact = 'everywhere' | 'page';

/** A list of agents. */
export type ListRequest = ListFilters & {
  /** Newest first by default. */
  sort?: SortOrder | undefined;
};

export type PageRequest = ListRequest & PagePart;

/** A search; without `limit`, for a page of up to 1,000 results. Best match first by default. */
type SearchAgentsRequest = AgentFilters & {
  text: string;
  /** Whether corrections and synonyms count; true by default. */
  correct?: boolean | undefined;
  sort?: SortOrder | undefined;
  session?: SearchSession | undefined;
} & Partial<PagePart>;

/** Agents, each with the time at which it was listed or edited last. */
export type LatestAgents = Pick<Matches, 'isProvisional'> & { latest: { agent: ListedAgent; changedAt: string }[] };

/** What is known of all results of a search. */
type Matches = Pick<
  SearchHits,
  'totalBound' | 'full' | 'correction' | 'understood' | 'words' | 'telling' | 'isProvisional'
>;

/** A page of search results. */
export type FoundAgents = AgentPage & Matches;

/** The results of a search as a stream of `length` agents; the `last` one if more results follow. */
type WholeSearch = Matches & {
  total: number;
  stream: () => AsyncGenerator<ListedAgent[], void, undefined>;
  length: number;
  last: ListedAgent | undefined;
};

const TOO_LONG = 'The list is too long for one response; please ask for pages of it with limit';
const NO_SEQ = 0;

/**
 * Creates the lists, counts and searches of an agent store: newest first by default, by `createdAt` descending, then by
 * `id`. With the contact addresses on the pages of agents only, agents have none here.
 */
export function createAgentLists(engine: Engine, publicContact: PublicContact) {
  const { db } = engine;
  const selection = createListSelection(engine);
  const toListed = publicContact === 'page' ? (row: AgentRow) => withoutContact(toAgent(row)) : toAgent;
  const pages = createListPages(engine, selection, toListed);
  const counts = createListCounts(engine, selection);
  return {
    ...counts,
    ...createMonthLists(engine, pages),
    ...createSearches(engine, pages),
    list,
    stream,
    page,
    findAll,
    latest,
    lastChange,
  };

  /** The whole list; rejects with a `RegistryError` if it has more than `maxBytes` as JSON, `MAX_PAGE_BYTES` by default. */
  async function list({
    maxBytes = MAX_PAGE_BYTES,
    ...request
  }: ListRequest & Pick<PagePart, 'maxBytes'> = {}): Promise<ListedAgent[]> {
    const agents: ListedAgent[] = [];
    let bytes = 0;
    for await (const chunk of stream(request)) {
      bytes += Buffer.byteLength(JSON.stringify(chunk));
      if (bytes > maxBytes) throw new RegistryError('invalid', TOO_LONG);
      agents.push(...chunk);
    }
    return agents;
  }

  /**
   * Streams the list in chunks of at least one agent and at most 1 MiB, read on demand; the event loop runs between two
   * chunks. Each agent comes once, one that is renamed meanwhile, too; an agent that is added or removed meanwhile at most
   * once.
   */
  function stream(request: ListRequest = {}): AsyncGenerator<ListedAgent[], void, undefined> {
    return pages.streamList(request);
  }

  /** A page of a list; undefined when the cursor is of another order, or an id that is not in that list. */
  function page(request: PageRequest): Promise<AgentPage | undefined> {
    return pages.readPage(request, request, () => counts.count(request));
  }

  /** The listed agents with these ids, in the same order, until `maxBytes` as JSON; `leftOut` is the next one. */
  async function findAll(
    ids: readonly string[],
    maxBytes: number,
  ): Promise<{ agents: ListedAgent[]; leftOut: string | undefined }> {
    const keys = await pages.findKeys('id', ids);
    const first = takeWithin(keys, maxBytes);
    return { agents: await pages.readAgents(first), leftOut: keys[first.length]?.id };
  }

  /** The agents of a list that were listed or edited last, latest first. */
  async function latest({
    category,
    text,
    correct,
    limit,
    session,
    ...filters
  }: FoundList & Pick<PagePart, 'limit'>): Promise<LatestAgents> {
    const found: SelectedList = { ...filters, category };
    let isProvisional = false;
    if (category === undefined && text !== undefined) {
      const hits = await engine.search({ text, correct, session, limit: 1 });
      isProvisional = hits?.isProvisional ?? false;
      if (!hits || hits.total === 0) return { latest: [], isProvisional };
      found.matching = hits.matching;
    }
    const agents = await selection.select(found);
    const last = agents.selectAll().orderBy('changed_at', 'desc').orderBy('seq', 'desc').limit(limit);
    const rows = await selection.run(found, last);
    return { latest: rows.map((row) => ({ agent: toListed(row), changedAt: row.changed_at })), isProvisional };
  }

  /** The time of the last change of an agent of a category, or of any; undefined if there was none. */
  async function lastChange(category?: CategoryId): Promise<string | undefined> {
    const { changedAt } = await db
      .selectFrom('agent_counts')
      .select((select) => select.fn.max<string | null>('changed_at').as('changedAt'))
      .where((where) => where.and(toConditions({ category })))
      .executeTakeFirstOrThrow();
    return changedAt ?? undefined;
  }
}

export function withoutContact(agent: ListedAgent): ListedAgent {
  return { ...agent, contactEmail: null };
}

function createSearches(engine: Engine, pages: ListPages) {
  return { search, searchWhole };

  /**
   * Finds agents by a text; undefined when the cursor is of another order, or an id that is not among the results. Best
   * match first, positions are known and `before` is possible within the first 1,000 results.
   */
  async function search({
    limit = MAX_SEARCH_RESULTS,
    ...request
  }: SearchAgentsRequest): Promise<FoundAgents | undefined> {
    const { sort } = request;
    const part = { ...request, limit };
    if (sort === undefined) return searchBest(toSearch(request), part);
    const hits = await engine.search({ ...toSearch(request), limit: 1 });
    if (!hits) return undefined;
    const list = { ...pickFilters(request), sort, matching: hits.matching, matches: hits.total };
    const page = await pages.readPage(list, part, () => hits.total);
    return page && { ...page, ...toMatches(hits) };
  }

  /** Finds agents by a text and streams them, at most the first 1,000. */
  async function searchWhole(request: Omit<SearchAgentsRequest, keyof PagePart>): Promise<WholeSearch> {
    const { sort } = request;
    const hits = await engine.search({ ...toSearch(request), limit: sort === undefined ? MAX_SEARCH_RESULTS : 1 });
    if (!hits) throw new Error('A search without a cursor has no results.');
    const { matching, total } = hits;
    const seqs =
      sort === undefined
        ? hits.seqs
        : await pages.readOrder(sort, { ...pickFilters(request), matching, matches: total }, MAX_SEARCH_RESULTS);
    const end = total > seqs.length ? seqs.slice(-1) : [];
    const [last] = await pages.readAgents(await pages.findKeys('seq', end));
    return { total, ...toMatches(hits), last, length: seqs.length, stream: () => pages.streamRows(seqs) };
  }

  /** A page of the results of a search, best match first. */
  async function searchBest(
    search: ReturnType<typeof toSearch>,
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
    const { seqs, total, hasMore, hasPrevious, position } = hits;
    const keys = await pages.findKeys('seq', seqs);
    // The page ends at its cursor, or starts there.
    const taken = isBefore ? takeWithin(keys.toReversed(), maxBytes).toReversed() : takeWithin(keys, maxBytes);
    const left = keys.length - taken.length;
    return {
      agents: await pages.readAgents(taken),
      total,
      hasMore: hasMore || (left > 0 && !isBefore),
      hasPrevious: hasPrevious || (left > 0 && isBefore),
      position: position !== undefined && isBefore ? position + left : position,
      ...toMatches(hits),
    };
  }

  /** The place of a cursor in the results of a search. */
  async function findResult({ id, place }: Cursor): Promise<SearchPlace> {
    const row = await engine.db.selectFrom('agents').select('seq').where('id', '=', id).executeTakeFirst();
    const position = Number(place?.values[0]);
    return { seq: row?.seq ?? NO_SEQ, position: Number.isSafeInteger(position) ? position : undefined };
  }
}

function toSearch(request: SearchAgentsRequest): Pick<SearchRequest, 'text' | 'correct' | 'filters' | 'session'> {
  const { text, correct, session } = request;
  const filters = pickFilters(request);
  const capability = filters.capability === undefined ? undefined : toKey(filters.capability);
  return { text, correct, session, filters: { ...filters, capability } };
}

function toMatches({ totalBound, full, correction, understood, words, telling, isProvisional }: Matches): Matches {
  return { totalBound, full, correction, understood, words, telling, isProvisional };
}
