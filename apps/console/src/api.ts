import type { ConsoleRouter } from '@agent-registry/api/console-router';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import { createTRPCQueryUtils } from '@trpc/react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createContext, use } from 'react';

export type Outputs = inferRouterOutputs<ConsoleRouter>;

export type Inputs = inferRouterInputs<ConsoleRouter>;

export type Api = {
  client: TRPCClient<ConsoleRouter>;
  /** Query options and cache keys, as in `useQuery(queries.queue.list.queryOptions())`. */
  queries: ReturnType<typeof createTRPCQueryUtils<ConsoleRouter>>;
};

export function createApi(queryClient: QueryClient): Api {
  const client = createTRPCClient<ConsoleRouter>({ links: [httpLink({ url: '/trpc', fetch: fetchFromConsole })] });
  return { client, queries: createTRPCQueryUtils<ConsoleRouter>({ client, queryClient }) };
}

export const ApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error('ApiContext has no provider above this component.');
  return api;
}

/** Creates the query cache. Data is read again when the operator returns to a view or to the window. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Fetches; a console that has ended or refuses the browser says so in a sentence. */
async function fetchFromConsole(url: RequestInfo | URL | string, options?: RequestInit): Promise<Response> {
  const response = await fetch(url, options).catch((cause: unknown) => {
    if (cause instanceof DOMException) throw cause;
    throw new Error('The console has ended. Start it again: registry console.', { cause });
  });
  const isRefusal = response.headers.get('content-type')?.startsWith('text/plain');
  if (isRefusal) throw new Error(await response.text());
  return response;
}
