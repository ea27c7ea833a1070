import { RestError } from '@agent-registry/client';
import type { AppRouter } from '@agent-registry/client/rest-link';
import { isAgentId, type Agent, type ListedAgent } from '@agent-registry/contracts';
import { QueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { createTRPCClient, TRPCClientError, type TRPCClient, type TRPCLink } from '@trpc/client';
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

export type AgentVersion = Agent | 'withdrawn' | 'unknown';

/** The query of an agent. The cache keeps also why there is none, so that the browser need not ask again. */
export function toAgentQuery({ client, queries }: Api, id: string) {
  return {
    queryKey: [...queries.agents.get.queryOptions({ id }).queryKey],
    queryFn: async (): Promise<AgentVersion> => {
      if (!isAgentId(id)) return 'unknown';
      try {
        return await client.agents.get.query({ id });
      } catch (error) {
        const status = readStatus(error);
        if (status !== 404 && status !== 410) throw error;
        return status === 410 ? 'withdrawn' : 'unknown';
      }
    },
  };
}

export function readCachedAgents(queryClient: QueryClient): ListedAgent[] {
  const lists = queryClient.getQueriesData<Partial<InfiniteData<{ agents: ListedAgent[] }>>>({});
  return lists.flatMap(([, list]) => list?.pages ?? []).flatMap(({ agents }) => agents);
}

/** The HTTP status of a failed request; undefined if there was no response. */
export function readStatus(error: unknown): number | undefined {
  return readRestError(error)?.status;
}

/** Whether a request failed because the browser is offline. A registry on the same machine can still respond then. */
export function isOffline(error: unknown): boolean {
  return readStatus(error) === undefined && !navigator.onLine;
}

export function describeNetworkError(): string {
  return navigator.onLine
    ? 'The registry could not be reached.'
    : 'You seem to be offline. This goes on once you are back.';
}

export function readRestError(error: unknown): RestError | undefined {
  const cause = error instanceof TRPCClientError ? error.cause : undefined;
  return cause instanceof RestError ? cause : undefined;
}
