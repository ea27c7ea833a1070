import type { AnswerHeaders } from '@agent-registry/api/page-renderer';
import type { RestContext } from '@agent-registry/client';
import {
  CARDS_PER_PAGE,
  CORRECTION_HEADER,
  FULL_MATCHES_HEADER,
  MATCHED_WORDS_HEADER,
  POSITION_HEADER,
  toListCursor,
  TOTAL_HEADER,
  UNDERSTOOD_HEADER,
  type BrowseParams,
  type ListedAgent,
  type ListStart,
} from '@agent-registry/contracts';
import { useInfiniteQuery, useQueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { useSite } from '../lib/site.ts';
import { readStatus } from './request-errors.ts';
import { useApi, type Api, type CacheEntry } from './trpc.ts';

/** Agents per request where the list is read by pages. */
const AGENTS_PER_REQUEST = 48;

/** Which agents a list holds, in which order: those of a category, else search results, else all. */
export type ListRequest = Partial<BrowseParams>;

/** A list of agents, as far as it is loaded. */
export type AgentList = {
  /** The agents loaded so far; undefined before the first response. */
  agents: ListedAgent[] | undefined;
  /** The length of the whole list. */
  total: number;
  /** The position of the first of these agents in the whole list, from 1. */
  position: number;
  /** The number of agents with all words of the search, which come first; the rest has some. Undefined without a search. */
  full: number | undefined;
  /** Whether this is the excerpt that came with the page: the first cards. */
  isExcerpt: boolean;
  /** The corrected search text, if the registry corrected it. */
  correction: string | undefined;
  /** The search text as operators, if it has any: `chat -google` for `chat without google`. */
  understood: string | undefined;
  /** The folded words by which a search found these agents: `word`, `beginning*` or `*part*` of a word. */
  words: readonly string[];
  /** Whether there are agents after these. */
  hasMore: boolean;
  /** Whether there is neither data nor an error yet. */
  isPending: boolean;
  /** Whether a request is under way. */
  isFetching: boolean;
  /** Why the last request failed, or null. */
  error: unknown;
  /** Loads the list again; cancels a pending request. */
  retry: () => Promise<void>;
  /** Loads the next agents. */
  loadMore: () => Promise<void>;
};

/**
 * Loads a list: the whole list at once, or page by page in a large directory.
 * A list that came with the page as an excerpt is loaded by the first `loadMore`.
 */
export function useAgentList(request: ListRequest, { enabled = true } = {}): AgentList {
  const api = useApi();
  const { isPaged } = useSite();
  const queryClient = useQueryClient();
  const queryKey = toQueryKey(api, request);
  const start = toStart(request);
  const limit = isPaged || start ? AGENTS_PER_REQUEST : undefined;
  const { data, hasNextPage, isPending, isFetching, error, refetch, fetchNextPage } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchFrom(api, request, { ...(limit && { limit }), ...pageParam }),
    initialPageParam: start,
    getNextPageParam: ({ hasMore }, pages): ListStart | undefined => {
      const { agents, position } = joinPages({ pages });
      const last = agents.at(-1);
      return hasMore && last ? { after: toListCursor(request, last, position + agents.length - 1) } : undefined;
    },
    select: joinPages,
    enabled,
  });

  return {
    agents: data?.agents,
    total: data?.total ?? 0,
    position: data?.position ?? 1,
    full: data?.full,
    isExcerpt: data?.isExcerpt ?? false,
    correction: data?.correction,
    understood: data?.understood,
    words: data?.words ?? [],
    hasMore: hasNextPage,
    isPending,
    isFetching,
    error,
    retry: async () => {
      await queryClient.cancelQueries({ queryKey, exact: true });
      await refetch();
    },
    loadMore: async () => {
      if (data?.isExcerpt) {
        await refetch({ cancelRefetch: false });
        return;
      }
      await fetchNextPage({ cancelRefetch: false });
    },
  };
}

type PageRequest = ListStart & { limit?: number };

/** A page of a list, or all of it. */
type Page = {
  agents: ListedAgent[];
  total: number;
  /** Of its first agent in the whole list, from 1. */
  position: number;
  /** The number of agents with all words of the search. */
  full: number | undefined;
  correction: string | undefined;
  understood: string | undefined;
  /** The words by which a search found them; undefined for other lists. */
  words: string[] | undefined;
  /** Whether agents follow. */
  hasMore: boolean;
  isExcerpt?: boolean;
};

/** Loads the first cards of a list, and the cache entry that holds them. */
export async function fetchFirstCards(
  api: Api,
  request: ListRequest,
): Promise<{ agents: ListedAgent[]; entry: CacheEntry }> {
  const page = await fetchFrom(api, request, { limit: CARDS_PER_PAGE, ...toStart(request) });
  const excerpt: Page = { ...page, isExcerpt: page.hasMore };
  return { agents: page.agents, entry: [toQueryKey(api, request), { pages: [excerpt], pageParams: [] }] };
}

function toStart({ after, before, from }: ListRequest): ListStart | undefined {
  if (before !== undefined) return { before };
  if (after !== undefined) return { after };
  return from === undefined ? undefined : { from };
}

/** Loads a page. If the cursor of the URL is not in the list, the list starts with its first agent. */
async function fetchFrom(api: Api, request: ListRequest, { limit, after, before, from }: PageRequest): Promise<Page> {
  const part = { ...(limit && { limit }), ...(after && { after }), ...(from && { from }) };
  // The page before an agent ends there, so it has no more agents than are shown.
  if (before !== undefined) Object.assign(part, { limit: CARDS_PER_PAGE, before });
  const isFromUrl = before !== undefined || from !== undefined || (after !== undefined && after === request.after);
  try {
    return await fetchPage(api, request, { ...part, ...(isFromUrl && { position: true }) });
  } catch (error) {
    if (!isFromUrl || readStatus(error) !== 400) throw error;
    return fetchPage(api, request, { ...(limit && { limit }) });
  }
}

async function fetchPage({ client }: Api, request: ListRequest, part: object): Promise<Page> {
  let headers: AnswerHeaders | undefined;
  const context = { onHeaders: (received: AnswerHeaders) => void (headers = received) } satisfies RestContext;
  const { category, text } = request;
  const input = { ...toOptions(request), ...part };
  const agents = await (category
    ? client.agents.byCategory.query({ category, ...input }, { context })
    : text
      ? client.agents.search.query({ ...toSearch(text, request), ...input }, { context })
      : client.agents.list.query(input, { context }));
  const words = headers?.get(MATCHED_WORDS_HEADER);
  const full = headers?.get(FULL_MATCHES_HEADER) ?? undefined;
  return {
    agents,
    total: Number(headers?.get(TOTAL_HEADER) ?? agents.length),
    position: Number(headers?.get(POSITION_HEADER) ?? 1),
    full: full === undefined ? undefined : Number(full),
    correction: decode(headers?.get(CORRECTION_HEADER)),
    understood: decode(headers?.get(UNDERSTOOD_HEADER)),
    words: words ? words.split(',').map(decodeURIComponent) : undefined,
    hasMore: headers?.get('Link')?.includes('rel="next"') ?? false,
  };
}

/** Decodes the value of a header; undefined without the header. */
function decode(value: string | null | undefined): string | undefined {
  return typeof value === 'string' ? decodeURIComponent(value) : undefined;
}

/** The filters and the order of a list, as far as it has them. */
function toOptions({ pricing, apiAccess, proved, capability, since, sort }: ListRequest) {
  return {
    ...(pricing && { pricing: [...pricing] }),
    ...(apiAccess && { apiAccess: [...apiAccess] }),
    ...(proved && { proved: [...proved] }),
    ...(capability && { capability }),
    ...(since && { since }),
    ...(sort && { sort }),
  };
}

/** The search of a list. */
function toSearch(q: string, { correct }: ListRequest) {
  return { q, ...(correct === false && { correct }) };
}

function joinPages({ pages }: Pick<InfiniteData<Page>, 'pages'>) {
  return {
    agents: pages.flatMap(({ agents }) => agents),
    total: pages.at(-1)?.total ?? 0,
    position: pages[0]?.position ?? 1,
    full: pages.at(-1)?.full,
    correction: pages.find(({ correction }) => correction !== undefined)?.correction,
    understood: pages[0]?.understood,
    words: pages.at(-1)?.words,
    isExcerpt: pages[0]?.isExcerpt ?? false,
  };
}

function toQueryKey({ queries }: Api, request: ListRequest): QueryKey {
  const { category, text } = request;
  const input = { ...toOptions(request), ...toStart(request) };
  const { queryKey } = category
    ? queries.agents.byCategory.queryOptions({ category, ...input })
    : text
      ? queries.agents.search.queryOptions({ ...toSearch(text, request), ...input })
      : queries.agents.list.queryOptions(Object.keys(input).length > 0 ? input : undefined);
  // The cache holds pages of agents, not the procedure's output.
  return [...queryKey, 'pages'];
}
