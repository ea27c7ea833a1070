import {
  CARDS_PER_PAGE,
  toFacetsRequest,
  type BrowseParams,
  type Facets,
  type ListedAgent,
  type ListStart,
  type Page,
} from '@agent-registry/contracts';
import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { MAX_CARD_TEXT, toCardText } from '../lib/shorten.ts';
import { useSite } from '../lib/site.ts';
import { readStatus } from './request-errors.ts';
import { useApi, type Api } from './trpc.ts';

/** Agents per request where the list is read by pages. */
const AGENTS_PER_REQUEST = 48;

/** Which agents a list holds, in which order: those of a category, else search results, else all. */
export type ListRequest = Partial<BrowseParams>;

/**
 * Loads a list: the whole list at once, or page by page in a large directory.
 * A list that came with the page as an excerpt is loaded by the first `loadMore`.
 */
export function useAgentList(request: ListRequest, { enabled = true } = {}) {
  const api = useApi();
  const { isPaged } = useSite();
  const queryClient = useQueryClient();
  const queryKey = toQueryKey(api, request);
  const start = toStart(request);
  const limit = isPaged || start ? AGENTS_PER_REQUEST : undefined;
  const { data, hasNextPage, isPending, isFetching, error, refetch, fetchNextPage } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }): Promise<LoadedPage> => fetchFrom(api, request, { ...(limit && { limit }), ...pageParam }),
    initialPageParam: start,
    getNextPageParam: ({ next }): ListStart | undefined => (next === undefined ? undefined : { after: next }),
    select: joinPages,
    enabled,
  });

  return {
    ...joinPages({ pages: [] }),
    ...data,
    /** The agents loaded so far; undefined before the first response. */
    agents: data?.agents,
    hasMore: hasNextPage,
    isPending,
    isFetching,
    /** Why the last request failed, or null. */
    error,
    /** Loads the list again; cancels a pending request. */
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

/** How many agents each value of a filter would leave; undefined until they are counted. */
export function useFacets(list: ListRequest): Facets | undefined {
  const { queries } = useApi();
  return useQuery(queries.agents.facets.queryOptions(toFacetsRequest(list))).data;
}

type PageRequest = ListStart & { limit?: number };

type LoadedPage = Page & { isExcerpt?: boolean };

/** The query of the first cards of a list, for the page with them. */
export function toFirstCardsQuery(api: Api, request: ListRequest) {
  return {
    queryKey: toQueryKey(api, request),
    queryFn: async (): Promise<InfiniteData<LoadedPage>> => {
      const page = await fetchFrom(api, request, { limit: CARDS_PER_PAGE, ...toStart(request) });
      const excerpt = { ...page, agents: page.agents.map(toCard), isExcerpt: page.next !== undefined };
      return { pages: [excerpt], pageParams: [] };
    },
  };
}

/** An agent as its card shows it: with the beginning of a long description, and then without what its page needs. */
export function toCard(agent: ListedAgent): ListedAgent {
  if (agent.description.length <= MAX_CARD_TEXT) return agent;
  return { ...agent, description: toCardText(agent.description), contactEmail: null };
}

function toStart({ after, before }: ListRequest): ListStart | undefined {
  if (before !== undefined) return { before };
  return after === undefined ? undefined : { after };
}

/** Loads a page. If the cursor of the URL is not in the list, the list starts with its first agent. */
async function fetchFrom(api: Api, request: ListRequest, { limit, after, before }: PageRequest): Promise<Page> {
  const part = { ...(limit && { limit }), ...(after && { after }) };
  // The page before an agent ends there, so it has no more agents than are shown.
  if (before !== undefined) Object.assign(part, { limit: CARDS_PER_PAGE, before });
  const isFromUrl = before !== undefined || (after !== undefined && after === request.after);
  try {
    return await fetchPage(api, request, { ...part, ...(isFromUrl && { position: true }) });
  } catch (error) {
    if (!isFromUrl || readStatus(error) !== 400) throw error;
    return fetchPage(api, request, { ...(limit && { limit }) });
  }
}

async function fetchPage({ client: { agents } }: Api, request: ListRequest, part: object): Promise<Page> {
  const input = { ...toInput(request), ...part };
  if (input.category !== undefined) return agents.byCategory.query(input);
  return input.q === undefined ? agents.list.query(input) : agents.search.query(input);
}

/** The subject, the filters and the order of a list, as far as it has them. */
function toInput(request: ListRequest) {
  return { ...toFacetsRequest(request), ...(request.sort && { sort: request.sort }) };
}

function joinPages({ pages }: Pick<InfiniteData<LoadedPage>, 'pages'>) {
  return {
    agents: pages.flatMap(({ agents }) => agents),
    total: pages.at(-1)?.total ?? 0,
    totalBound: pages.at(-1)?.totalBound,
    position: pages[0]?.position ?? 1,
    full: pages.at(-1)?.full,
    correction: pages.find(({ correction }) => correction !== undefined)?.correction,
    understood: pages[0]?.understood,
    words: pages.at(-1)?.words ?? [],
    /** Whether this is the excerpt that came with the page: the first cards. */
    isExcerpt: pages[0]?.isExcerpt ?? false,
  };
}

function toQueryKey({ queries }: Api, request: ListRequest): QueryKey {
  const { queryKey } = queries.agents.list.queryOptions();
  return [...queryKey, 'pages', { ...toInput(request), ...toStart(request) }];
}
