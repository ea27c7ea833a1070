import type { AnswerHeaders } from '@agent-registry/api/page-renderer';
import type { RestContext } from '@agent-registry/client';
import {
  AGENTS_PER_READ,
  CARDS_PER_PAGE,
  CORRECTION_HEADER,
  TOTAL_HEADER,
  type Agent,
  type CategoryId,
} from '@agent-registry/contracts';
import { useInfiniteQuery, useQueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { readStatus } from './request-errors.ts';
import { useSite } from '../ssr/site.ts';
import { useApi, type Api, type CacheEntry } from './trpc.ts';

/** Which agents a list holds: those of a category, else those that match a text, else all. */
export type ListRequest = {
  category?: CategoryId | undefined;
  text?: string;
  /** The id of the agent after which the list begins; it is read by pages then, from the first where it has no such agent. */
  after?: string | undefined;
};

/** A list of agents, as far as it has been read. */
export type AgentList = {
  /** The agents read so far; undefined before the first are there. */
  agents: Agent[] | undefined;
  /** How many agents the whole list has. */
  total: number;
  /** Whether these are no more than the first cards, as the server has sent them with the page. */
  isExcerpt: boolean;
  /** How the search reads with the corrections that led to some of the agents, if any did. */
  correction: string | undefined;
  /** Whether there are agents to read after these. */
  hasMore: boolean;
  /** Whether nothing has been read yet, and nothing has failed. */
  isPending: boolean;
  /** Why the list could not be read; null where it could, or is being read. */
  error: unknown;
  /** Reads the list anew, even if it is just being read. */
  retry: () => unknown;
  /** Reads the agents that come next; resolves to whether they could be read. */
  readMore: () => Promise<boolean>;
};

/**
 * Reads a list: as a whole, or, in a large directory, page by page. Of a list whose first cards came with the page
 * nothing is read until there is to be more of it.
 */
export function useAgentList(request: ListRequest, { enabled = true } = {}): AgentList {
  const api = useApi();
  const { isPaged } = useSite();
  const isReadByPages = isPaged || request.after !== undefined;
  const queryClient = useQueryClient();
  const queryKey = toQueryKey(api, request);
  const { data, hasNextPage, isPending, error, refetch, fetchNextPage } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: after }) =>
      readPart(api, request, { ...(isReadByPages && { limit: AGENTS_PER_READ }), after }),
    initialPageParam: request.after,
    getNextPageParam: ({ next }) => next,
    select: joinParts,
    enabled,
  });

  return {
    agents: data?.agents,
    total: data?.total ?? 0,
    isExcerpt: data?.isExcerpt ?? false,
    correction: data?.correction,
    hasMore: hasNextPage,
    isPending,
    error,
    retry: async () => {
      await queryClient.cancelQueries({ queryKey, exact: true });
      await refetch();
    },
    readMore: async () => {
      if (data?.isExcerpt) return !(await refetch({ cancelRefetch: false })).isError;
      const readBefore = data?.agents.length ?? 0;
      let isReadAnew = false;
      for (;;) {
        // A list that is just being read anew, as after a registration, is waited for; that brings no further page.
        const result = await fetchNextPage({ cancelRefetch: false });
        if (result.isError) {
          if (isReadAnew || readStatus(result.error) !== 400) return false;
          // The last agent that was read is not in the list any more.
          isReadAnew = true;
          await refetch();
        } else if (!result.hasNextPage || (result.data?.agents.length ?? 0) > readBefore) return true;
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
  isExcerpt?: boolean;
};

/** Reads the first cards of a list: the agents, and the entry of the cache of a page that has no more of the list. */
export async function readFirstCards(api: Api, request: ListRequest): Promise<{ agents: Agent[]; entry: CacheEntry }> {
  const part = await readPart(api, request, { limit: CARDS_PER_PAGE, after: request.after });
  const excerpt: Part = { ...part, isExcerpt: part.next !== undefined };
  return { agents: part.agents, entry: [toQueryKey(api, request), { pages: [excerpt], pageParams: [] }] };
}

/** Reads a part; where the list is to begin after an agent that it does not have, or no longer, that is the first. */
async function readPart(
  api: Api,
  request: ListRequest,
  page: { limit?: number; after: string | undefined },
): Promise<Part> {
  try {
    return await readPage(api, request, page);
  } catch (error) {
    const isBeginning = page.after !== undefined && page.after === request.after;
    if (!isBeginning || readStatus(error) !== 400) throw error;
    return readPage(api, request, { ...page, after: undefined });
  }
}

async function readPage(
  { client }: Api,
  { category, text }: ListRequest,
  page: { limit?: number; after: string | undefined },
): Promise<Part> {
  let headers: AnswerHeaders | undefined;
  const context = { onHeaders: (given: AnswerHeaders) => void (headers = given) } satisfies RestContext;
  const agents = await (category
    ? client.agents.byCategory.query({ category, ...page }, { context })
    : text
      ? client.agents.search.query({ q: text, ...page }, { context })
      : client.agents.list.query(page, { context }));
  return {
    agents,
    total: Number(headers?.get(TOTAL_HEADER) ?? agents.length),
    correction: readCorrection(headers),
    next: headers?.has('Link') ? agents.at(-1)?.id : undefined,
  };
}

function readCorrection(headers: AnswerHeaders | undefined): string | undefined {
  const correction = headers?.get(CORRECTION_HEADER);
  return typeof correction === 'string' ? decodeURIComponent(correction) : undefined;
}

function joinParts({ pages }: InfiniteData<Part>): Required<Omit<Part, 'next'>> {
  return {
    agents: pages.flatMap(({ agents }) => agents),
    total: pages.at(-1)?.total ?? 0,
    correction: pages.find(({ correction }) => correction !== undefined)?.correction,
    isExcerpt: pages[0]?.isExcerpt ?? false,
  };
}

function toQueryKey({ queries }: Api, { category, text, after }: ListRequest): QueryKey {
  const start = after === undefined ? {} : { after };
  const { queryKey } = category
    ? queries.agents.byCategory.queryOptions({ category, ...start })
    : text
      ? queries.agents.search.queryOptions({ q: text, ...start })
      : queries.agents.list.queryOptions(after === undefined ? undefined : start);
  // Not the answer itself is kept there, but pages of it.
  return [...queryKey, 'pages'];
}
