import type { AnswerHeaders } from '@agent-registry/api/page-renderer';
import type { RestContext } from '@agent-registry/client';
import { CORRECTION_HEADER, TOTAL_HEADER, type Agent } from '@agent-registry/contracts';
import { useInfiniteQuery, useQueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import type { BrowseParams } from '../navigation/browse-params.ts';
import { useSite } from '../ssr/site.ts';
import { readStatus } from './request-errors.ts';
import { useApi, type Api, type CacheEntry } from './trpc.ts';

/** Cards shown at first, and added by each press of Load More Agents. */
export const CARDS_PER_PAGE = 12;

/** Agents per request where the list is read by pages. */
const AGENTS_PER_REQUEST = 48;

/** Which agents a list holds: those of a category, else search results, else all. */
export type ListRequest = Partial<BrowseParams>;

/** A list of agents, as far as it is loaded. */
export type AgentList = {
  /** The agents loaded so far; undefined before the first response. */
  agents: Agent[] | undefined;
  /** The length of the whole list. */
  total: number;
  /** Whether this is the excerpt that came with the page: the first cards. */
  isExcerpt: boolean;
  /** The corrected search text, if the registry corrected it. */
  correction: string | undefined;
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
  const limit = isPaged || request.after !== undefined ? AGENTS_PER_REQUEST : undefined;
  const { data, hasNextPage, isPending, isFetching, error, refetch, fetchNextPage } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: after }) => fetchFrom(api, request, { ...(limit && { limit }), after }),
    initialPageParam: request.after,
    getNextPageParam: ({ next }) => next,
    select: joinPages,
    enabled,
  });

  return {
    agents: data?.agents,
    total: data?.total ?? 0,
    isExcerpt: data?.isExcerpt ?? false,
    correction: data?.correction,
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
      const result = await fetchNextPage({ cancelRefetch: false });
      // 400: the agent at the cursor is no longer in the list.
      if (readStatus(result.error) === 400 && (await refetch()).isSuccess) await fetchNextPage();
    },
  };
}

type PageRequest = { limit?: number; after: string | undefined };

/** A page of a list, or all of it. */
type Page = {
  agents: Agent[];
  total: number;
  correction: string | undefined;
  /** Cursor of the next page; undefined at the end. */
  next: string | undefined;
  isExcerpt?: boolean;
};

/** Loads the first cards of a list, and the cache entry that holds them. */
export async function fetchFirstCards(api: Api, request: ListRequest): Promise<{ agents: Agent[]; entry: CacheEntry }> {
  const page = await fetchFrom(api, request, { limit: CARDS_PER_PAGE, after: request.after });
  const excerpt: Page = { ...page, isExcerpt: page.next !== undefined };
  return { agents: page.agents, entry: [toQueryKey(api, request), { pages: [excerpt], pageParams: [] }] };
}

/** Loads a page. If the cursor of the URL is not in the list, the list starts with its first agent. */
async function fetchFrom(api: Api, request: ListRequest, page: PageRequest): Promise<Page> {
  try {
    return await fetchPage(api, request, page);
  } catch (error) {
    const isFromUrl = page.after !== undefined && page.after === request.after;
    if (!isFromUrl || readStatus(error) !== 400) throw error;
    return fetchPage(api, request, { ...page, after: undefined });
  }
}

async function fetchPage({ client }: Api, { category, text }: ListRequest, page: PageRequest): Promise<Page> {
  let headers: AnswerHeaders | undefined;
  const context = { onHeaders: (received: AnswerHeaders) => void (headers = received) } satisfies RestContext;
  const agents = await (category
    ? client.agents.byCategory.query({ category, ...page }, { context })
    : text
      ? client.agents.search.query({ q: text, ...page }, { context })
      : client.agents.list.query(page, { context }));
  const correction = headers?.get(CORRECTION_HEADER);
  return {
    agents,
    total: Number(headers?.get(TOTAL_HEADER) ?? agents.length),
    correction: typeof correction === 'string' ? decodeURIComponent(correction) : undefined,
    next: headers?.get('Link')?.includes('rel="next"') ? agents.at(-1)?.id : undefined,
  };
}

function joinPages({ pages }: InfiniteData<Page>) {
  return {
    agents: pages.flatMap(({ agents }) => agents),
    total: pages.at(-1)?.total ?? 0,
    correction: pages.find(({ correction }) => correction !== undefined)?.correction,
    isExcerpt: pages[0]?.isExcerpt ?? false,
  };
}

function toQueryKey({ queries }: Api, { category, text, after }: ListRequest): QueryKey {
  const cursor = after === undefined ? {} : { after };
  const { queryKey } = category
    ? queries.agents.byCategory.queryOptions({ category, ...cursor })
    : text
      ? queries.agents.search.queryOptions({ q: text, ...cursor })
      : queries.agents.list.queryOptions(after === undefined ? undefined : cursor);
  // The cache holds pages of agents, not the procedure's output.
  return [...queryKey, 'pages'];
}
