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
import { readStatus, useApi, type Api } from './trpc.ts';

const AGENTS_PER_REQUEST = 48;
/** The newest agents beside an empty list. */
const NEWEST = 3;

type ListRequest = Partial<BrowseParams>;

/** The whole list, or its pages in a large directory. Of an excerpt that came with the page, `loadMore` loads the rest. */
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
    agents: data?.agents,
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

export function useFacets(list: ListRequest): Facets | undefined {
  const { queries } = useApi();
  return useQuery(queries.agents.facets.queryOptions(toFacetsRequest(list))).data;
}

type LoadedPage = Page & { isExcerpt?: boolean; newest?: ListedAgent[] | undefined };

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
async function fetchFrom(api: Api, request: ListRequest, start: ListStart & { limit?: number }): Promise<LoadedPage> {
  const { limit, after, before } = start;
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

/** With an empty page come the newest agents of all, so that nothing moves. */
async function fetchPage(api: Api, request: ListRequest, part: object): Promise<LoadedPage> {
  const page = await fetchList(api, request, part);
  if (page.total > 0) return page;
  const newest = await api.client.agents.list.query({ limit: NEWEST }).catch(() => undefined);
  return { ...page, newest: newest?.agents.map(toCard) };
}

async function fetchList({ client: { agents } }: Api, request: ListRequest, part: object): Promise<Page> {
  const input = { ...toInput(request), ...part };
  if (input.category !== undefined) return agents.byCategory.query(input);
  return input.q === undefined ? agents.list.query(input) : agents.search.query(input);
}

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
    newest: pages[0]?.newest ?? [],
    /** Whether this is the excerpt that came with the page: the first cards. */
    isExcerpt: pages[0]?.isExcerpt ?? false,
  };
}

function toQueryKey({ queries }: Api, request: ListRequest): QueryKey {
  const { queryKey } = queries.agents.list.queryOptions();
  return [...queryKey, 'pages', { ...toInput(request), ...toStart(request) }];
}
