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
import { sql } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { takeWithin } from '../db/records.ts';
import { RegistryError } from '../registry-error.ts';
import type { Place as SearchPlace, SearchHits, SearchRequest, SearchSession } from '../search/search.ts';
import { toKey } from './text-keys.ts';
import type { FoundList } from './list-counts.ts';
import {
  findKeys,
  readAgents,
  readOrder,
  readPage,
  streamList,
  streamRows,
  toListed,
  type AgentPage,
  type Lists,
  type PagePart,
} from './list-pages.ts';
import { runList, selectList, toConditions, type ListFilters, type SelectedList } from './list-selection.ts';

export type ListRequest = ListFilters & {
  /** Newest first by default. */
  sort?: SortOrder | undefined;
};

export type PageRequest = ListRequest & PagePart;

/** A search; without `limit`, for a page of up to 1,000 results. Best match first by default. */
type SearchAgentsRequest = AgentFilters & {
  text: string;
  correct?: boolean | undefined;
  sort?: SortOrder | undefined;
  session?: SearchSession | undefined;
} & Partial<PagePart>;

/** Agents, each with the time at which it was listed or edited last. */
export type LatestAgents = Pick<Matches, 'isProvisional'> & { latest: { agent: ListedAgent; changedAt: string }[] };

type Matches = Pick<
  SearchHits,
  'totalBound' | 'full' | 'correction' | 'understood' | 'words' | 'telling' | 'isProvisional'
>;

export type FoundAgents = AgentPage & Matches;

const TOO_LONG = 'The list is too long for one response; please ask for pages of it with limit';
const NO_SEQ = 0;

/** The whole list; rejects with a `RegistryError` if it has more than `maxBytes` as JSON, `MAX_PAGE_BYTES` by default. */
export async function listAgents(
  lists: Lists,
  { maxBytes = MAX_PAGE_BYTES, ...request }: ListRequest & Pick<PagePart, 'maxBytes'> = {},
): Promise<ListedAgent[]> {
  const agents: ListedAgent[] = [];
  let bytes = 0;
  for await (const chunk of streamList(lists, request)) {
    bytes += Buffer.byteLength(JSON.stringify(chunk));
    if (bytes > maxBytes) throw new RegistryError('invalid', TOO_LONG);
    agents.push(...chunk);
  }
  return agents;
}

/** The listed agents with these ids, in the same order, until `maxBytes` as JSON; `leftOut` is the next one. */
export async function findAll(lists: Lists, ids: readonly string[], maxBytes: number) {
  const keys = await findKeys(lists, 'id', ids);
  const first = takeWithin(keys, maxBytes);
  return { agents: await readAgents(lists, first), leftOut: keys[first.length]?.id };
}

/** When the tools of an agent changed last, and the condition of the agents whose tools did. */
const toolsChangedAt = sql<string>`(SELECT max(at) FROM agent_changes WHERE agent_id = agents.id AND kind = 'tools')`;
const haveOtherTools = sql<boolean>`agents.id IN (SELECT agent_id FROM agent_changes WHERE kind = 'tools')`;

/** The agents of a list that were listed or edited last, latest first; or those whose tools changed last. */
export async function listLatest(
  lists: Lists,
  {
    category,
    text,
    correct,
    limit,
    session,
    changed,
    ...filters
  }: FoundList & Pick<PagePart, 'limit'> & { changed?: 'tools' | undefined },
): Promise<LatestAgents> {
  const found: SelectedList = { ...filters, category };
  let isProvisional = false;
  if (category === undefined && text !== undefined) {
    const hits = await lists.search({ text, correct, session, limit: 1 });
    isProvisional = hits?.isProvisional ?? false;
    if (!hits || hits.total === 0) return { latest: [], isProvisional };
    found.matching = hits.matching;
  }
  const agents = await selectList(lists, found);
  const last = agents
    .selectAll()
    .$if(changed !== undefined, (query) => query.select(toolsChangedAt.as('tools_at')).where(haveOtherTools))
    .orderBy(changed ? sql.ref('tools_at') : 'changed_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit);
  const rows = await runList(lists, found, last);
  return {
    latest: rows.map((row) => ({
      agent: toListed(row, lists.publicContact),
      changedAt: row.tools_at ?? row.changed_at,
    })),
    isProvisional,
  };
}

export async function lastChange({ db }: Engine, category?: CategoryId): Promise<string | undefined> {
  const { changedAt } = await db
    .selectFrom('agent_counts')
    .select((select) => select.fn.max<string | null>('changed_at').as('changedAt'))
    .where((where) => where.and(toConditions({ category })))
    .executeTakeFirstOrThrow();
  return changedAt ?? undefined;
}

/**
 * Finds agents by a text; undefined when the cursor is of another order, or an id that is not among the results. Best
 * match first, positions are known and `before` is possible within the first 1,000 results.
 */
export async function searchAgents(
  lists: Lists,
  { limit = MAX_SEARCH_RESULTS, ...request }: SearchAgentsRequest,
): Promise<FoundAgents | undefined> {
  const { sort } = request;
  const part = { ...request, limit };
  if (sort === undefined) return searchBest(lists, toSearch(request), part);
  const hits = await lists.search({ ...toSearch(request), limit: 1 });
  if (!hits) return undefined;
  const list = { ...pickFilters(request), sort, matching: hits.matching, matches: hits.total };
  const page = await readPage(lists, list, part, () => hits.total);
  return page && { ...page, ...toMatches(hits) };
}

/** Finds agents by a text as a stream of `length`, at most 1,000; the `last` one if more results follow. */
export async function searchWhole(lists: Lists, request: Omit<SearchAgentsRequest, keyof PagePart>) {
  const { sort } = request;
  const hits = await lists.search({ ...toSearch(request), limit: sort === undefined ? MAX_SEARCH_RESULTS : 1 });
  if (!hits) throw new Error('A search without a cursor has no results.');
  const { matching, total } = hits;
  const seqs =
    sort === undefined
      ? hits.seqs
      : await readOrder(lists, sort, { ...pickFilters(request), matching, matches: total }, MAX_SEARCH_RESULTS);
  const end = total > seqs.length ? seqs.slice(-1) : [];
  const [last] = await readAgents(lists, await findKeys(lists, 'seq', end));
  return { total, ...toMatches(hits), last, length: seqs.length, stream: () => streamRows(lists, seqs) };
}

async function searchBest(
  lists: Lists,
  search: ReturnType<typeof toSearch>,
  { limit, after, before, maxBytes = MAX_PAGE_BYTES }: PagePart,
): Promise<FoundAgents | undefined> {
  const cursor = parseCursor(after ?? before ?? '');
  if (cursor?.place && cursor.place.order !== 'best') return undefined;
  const start = cursor && (await findResult(lists, cursor));
  const isBefore = start !== undefined && after === undefined;
  const hits = await lists.search({
    ...search,
    limit,
    ...(start && (isBefore ? { before: start } : { after: start })),
  });
  if (!hits) return undefined;
  const { seqs, total, hasMore, hasPrevious, position } = hits;
  const keys = await findKeys(lists, 'seq', seqs);
  // The page ends at its cursor, or starts there.
  const taken = isBefore ? takeWithin(keys.toReversed(), maxBytes).toReversed() : takeWithin(keys, maxBytes);
  const left = keys.length - taken.length;
  return {
    agents: await readAgents(lists, taken),
    total,
    hasMore: hasMore || (left > 0 && !isBefore),
    hasPrevious: hasPrevious || (left > 0 && isBefore),
    position: position !== undefined && isBefore ? position + left : position,
    ...toMatches(hits),
  };
}

async function findResult({ db }: Engine, { id, place }: Cursor): Promise<SearchPlace> {
  const row = await db.selectFrom('agents').select('seq').where('id', '=', id).executeTakeFirst();
  const position = Number(place?.values[0]);
  return { seq: row?.seq ?? NO_SEQ, position: Number.isSafeInteger(position) ? position : undefined };
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
