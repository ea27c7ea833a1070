import { restLink, type AppRouter } from '@agent-registry/client';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCReact, type CreateTRPCReact } from '@trpc/react-query';

/** The registry's procedures as React hooks. */
export const trpc: CreateTRPCReact<AppRouter, unknown> = createTRPCReact<AppRouter>();

/** Makes the client behind the hooks; it calls the REST paths of the page's own origin. */
export function createApiClient() {
  return trpc.createClient({ links: [restLink({ url: '' })] });
}

/** Makes the cache of answers: they never become stale by themselves, and nothing is asked twice. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // 'always': a browser that believes itself offline gets an error to show, not a call that waits for ever.
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        retry: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
