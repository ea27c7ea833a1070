import type { AppRouter, RestContext } from '@agent-registry/client';
import { AGENTS_PER_READ, CORRECTION_HEADER, type Agent, type CategoryId } from '@agent-registry/contracts';
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import type { TRPCClient } from '@trpc/client';
import { getQueryKey } from '@trpc/react-query';
import { isDirectoryPaged } from './document-notes.ts';
import { trpc } from './trpc.ts';

/** Which agents a list holds: those of a category, else those that match a text, else all. */
export type ListRequest = { category?: CategoryId | undefined; text?: string };

/** A list of agents, as far as it has been read. */
export type AgentList = {
  /** The agents read so far; undefined before the first are there. */
  agents: Agent[] | undefined;
  /** How many agents the whole list has. */
  total: number;
  /** How the search reads with the corrections that led to some of the agents, if any did. */
  correction: string | undefined;
  /** Whether there are agents to read after these. */
  hasMore: boolean;
  /** Whether nothing has been read yet, and nothing has failed. */
  isPending: boolean;
  isError: boolean;
  /** Reads the list anew. */
  refetch: () => unknown;
  /** Reads the agents that come next; resolves to whether they could be read. */
  readMore: () => Promise<boolean>;
};

/** Reads a list: as a whole, or, in a large directory, page by page. */
export function useAgentList(request: ListRequest, { enabled = true } = {}): AgentList {
  const { client } = trpc.useUtils();
  const { data, hasNextPage, isPending, isError, refetch, fetchNextPage } = useInfiniteQuery({
    queryKey: toQueryKey(request),
    queryFn: ({ pageParam: after }) =>
      readPart(client, request, { ...(isDirectoryPaged() && { limit: AGENTS_PER_READ }), after }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    select: joinParts,
    enabled,
  });

  return {
    agents: data?.agents,
    total: data?.total ?? 0,
    correction: data?.correction,
    hasMore: hasNextPage,
    isPending,
    isError,
    refetch,
    readMore: async () => {
      const readBefore = data?.agents.length ?? 0;
      for (;;) {
        // A list that is just being read anew, as after a registration, is waited for; that brings no further page.
        const result = await fetchNextPage({ cancelRefetch: false });
        if (result.isError) return false;
        if (!result.hasNextPage || (result.data?.agents.length ?? 0) > readBefore) return true;
      }
    },
  };
}

/** A page of a list, or all of it. */
type Part = {
  agents: Agent[];
  total: number;
  correction: string | undefined;
  /** The id after which the next page begins; undefined at the end. */
  next: string | undefined;
};

async function readPart(
  client: TRPCClient<AppRouter>,
  { category, text }: ListRequest,
  page: { limit?: number; after: string | undefined },
): Promise<Part> {
  let headers = new Headers();
  const context: RestContext = { onHeaders: (given) => (headers = given) };
  const agents = await (category
    ? client.agents.byCategory.query({ category, ...page }, { context })
    : text
      ? client.agents.search.query({ q: text, ...page }, { context })
      : client.agents.list.query(page, { context }));
  return {
    agents,
    total: Number(headers.get('X-Total-Count') ?? agents.length),
    correction: readCorrection(headers),
    next: headers.has('Link') ? agents.at(-1)?.id : undefined,
  };
}

function readCorrection(headers: Headers): string | undefined {
  const correction = headers.get(CORRECTION_HEADER);
  return correction === null ? undefined : decodeURIComponent(correction);
}

function joinParts({ pages }: InfiniteData<Part>): Omit<Part, 'next'> {
  return {
    agents: pages.flatMap(({ agents }) => agents),
    total: pages.at(-1)?.total ?? 0,
    correction: pages.find(({ correction }) => correction !== undefined)?.correction,
  };
}

function toQueryKey({ category, text }: ListRequest) {
  if (category) return getQueryKey(trpc.agents.byCategory, { category }, 'infinite');
  return text
    ? getQueryKey(trpc.agents.search, { q: text }, 'infinite')
    : getQueryKey(trpc.agents.list, undefined, 'infinite');
}
