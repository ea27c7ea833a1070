import type { AppRouter } from '@agent-registry/client/rest-link';
import type { ListedAgent } from '@agent-registry/contracts';
import { QueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { createTRPCClient, type TRPCClient, type TRPCLink } from '@trpc/client';
import { createTRPCQueryUtils } from '@trpc/react-query';
import { createRequiredContext } from '../lib/required-context.ts';

export type Api = {
  client: TRPCClient<AppRouter>;
  /** Query options and cache keys, as in `useQuery(queries.stats.get.queryOptions())`. */
  queries: ReturnType<typeof createTRPCQueryUtils<AppRouter>>;
};

export function createApi(link: TRPCLink<AppRouter>, queryClient: QueryClient): Api {
  const client = createTRPCClient<AppRouter>({ links: [link] });
  return { client, queries: createTRPCQueryUtils<AppRouter>({ client, queryClient }) };
}

export const [ApiContext, useApi] = createRequiredContext<Api>('ApiContext');

export type CacheEntry = readonly [QueryKey, unknown];

/** Creates the query cache, filled with entries. Data never becomes stale and requests are not retried. */
export function createQueryClient(entries: readonly CacheEntry[] = []): QueryClient {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        retry: false,
        // An offline browser gets an error to show, not a request that is paused.
        networkMode: 'always',
        // Only failed queries: data is never stale.
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  for (const [key, data] of entries) queryClient.setQueryData(key, data);
  return queryClient;
}

/** The key of the cache entry that says that an agent was withdrawn: a page's cached agent is null then. */
export function withdrawnKey(id: string) {
  return ['withdrawn', id] as const;
}

/** The agents of all lists in the query cache. */
export function readCachedAgents(queryClient: QueryClient): ListedAgent[] {
  const lists = queryClient.getQueriesData<Partial<InfiniteData<{ agents: ListedAgent[] }>>>({});
  return lists.flatMap(([, list]) => list?.pages ?? []).flatMap(({ agents }) => agents);
}
