import type { AppRouter } from '@agent-registry/client';
import { QueryClient } from '@tanstack/react-query';
import type { TRPCLink } from '@trpc/client';
import { createTRPCReact, type CreateTRPCReact } from '@trpc/react-query';
import type { CacheEntry } from './site.ts';

/** The registry's procedures as React hooks. */
export const trpc: CreateTRPCReact<AppRouter, unknown> = createTRPCReact<AppRouter>();

/** The client behind the hooks. */
export type ApiClient = ReturnType<typeof trpc.createClient>;

/** Makes the client behind the hooks; the link is the way on which calls travel. */
export function createApiClient(link: TRPCLink<AppRouter>): ApiClient {
  return trpc.createClient({ links: [link] });
}

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
