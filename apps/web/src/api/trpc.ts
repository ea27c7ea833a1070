import type { AppRouter } from '@agent-registry/client';
import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { createTRPCClient, type TRPCClient, type TRPCLink } from '@trpc/client';
import { createTRPCQueryUtils } from '@trpc/react-query';
import { createRequiredContext } from '../components/required-context.ts';

/** The registry's procedures. */
export type Api = {
  /** To be called. */
  client: TRPCClient<AppRouter>;
  /** As queries of the cache: `useQuery(queries.stats.get.queryOptions())`. */
  queries: ReturnType<typeof createTRPCQueryUtils<AppRouter>>;
};

/** Makes the procedures; the link is the way on which calls travel. */
export function createApi(link: TRPCLink<AppRouter>, queryClient: QueryClient): Api {
  const client = createTRPCClient<AppRouter>({ links: [link] });
  return { client, queries: createTRPCQueryUtils<AppRouter>({ client, queryClient }) };
}

/** Gives the pages the registry's procedures, and reads them. */
export const [ApiContext, useApi] = createRequiredContext<Api>('the procedures');

/** An answer in the cache, under its key. */
export type CacheEntry = readonly [QueryKey, unknown];

/** Makes the cache of answers, with those that are there already: they never become stale by themselves, and nothing is asked twice. */
export function createQueryClient(entries: readonly CacheEntry[] = []): QueryClient {
  const queryClient = new QueryClient({
    defaultOptions: {
      // 'always': a browser that believes itself offline gets an error to show, not a call that waits for ever.
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        retry: false,
        networkMode: 'always',
        // What could not be read is read when the browser is online again; what was read is never stale.
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  for (const [key, data] of entries) queryClient.setQueryData(key, data);
  return queryClient;
}
