import { isAgentId, type Agent, type ListedAgent } from '@agent-registry/contracts';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { readStatus } from '../../api/request-errors.ts';
import { useApi, withdrawnKey, type Api } from '../../api/trpc.ts';
import { toCard } from '../../api/use-agent-list.ts';

/** What the registry has of an agent now: what its card shows, or why it has none. */
export type KeptVersion = ListedAgent | 'withdrawn' | 'unknown';

export function toVersionQuery({ client }: Pick<Api, 'client'>, id: string) {
  return {
    queryKey: ['kept', id],
    queryFn: async (): Promise<KeptVersion> => {
      if (!isAgentId(id)) return 'unknown';
      try {
        return { ...toCard(await client.agents.get.query({ id })), contactEmail: null };
      } catch (error) {
        const missing = readMissing(error);
        if (missing === undefined) throw error;
        return missing === 410 ? 'withdrawn' : 'unknown';
      }
    },
  };
}

/** Loads what the registry has of agents; undefined for each that is not loaded. */
export function useKeptVersions(ids: readonly string[]) {
  const api = useApi();
  const results = useQueries({ queries: ids.map((id) => toVersionQuery(api, id)) });
  return {
    versions: results.map(({ data }) => data),
    isPending: results.some(({ isPending, error }) => isPending && error === null),
    ...toFailure(results.filter(({ error }) => error !== null)),
  };
}

export type Compared = ReturnType<typeof useCompared>;

/** Loads the agents of a comparison. */
export function useCompared(ids: readonly string[]) {
  const { queries } = useApi();
  const queryClient = useQueryClient();
  const results = useQueries({
    queries: ids.map((id) => ({ ...queries.agents.get.queryOptions({ id }), enabled: isAgentId(id) })),
  });
  const found = results.map(({ data: agent, error, refetch }, index) => {
    const id = ids[index] ?? '';
    const missing = readMissing(error);
    const isWithdrawn = missing === 410 || queryClient.getQueryData(withdrawnKey(id)) === true;
    // The server's page has null in place of an error.
    const isMissing = isWithdrawn || agent === null || missing !== undefined || !isAgentId(id);
    return { id, agent, error, refetch, isWithdrawn, isMissing };
  });
  const agents = found.flatMap(({ agent, isMissing }) => (agent && !isMissing ? [agent] : []));
  const missing = found.filter(({ isMissing }) => isMissing);
  return {
    /** In the order of the comparison; undefined until all are loaded. */
    agents: agents.length + missing.length === ids.length ? sortCompared(agents) : undefined,
    missing,
    ...toFailure(found.filter(({ agent, error, isMissing }) => !agent && !isMissing && error !== null)),
  };
}

/** Why an agent could not be loaded, or null, and what loads each that could not be loaded again. */
function toFailure(failed: readonly { error: unknown; refetch: () => Promise<unknown> }[]) {
  return { error: failed[0]?.error ?? null, retry: () => Promise.all(failed.map(({ refetch }) => refetch())) };
}

/** The status of an agent that the registry does not have: 410 if it was withdrawn. Undefined for another failure. */
export function readMissing(error: unknown): 404 | 410 | undefined {
  const status = readStatus(error);
  if (status === 410) return 410;
  return status === 404 || status === 400 ? 404 : undefined;
}

/** Sorts the agents of a comparison as every list, newest first, so that all orders of the ids are one page. */
export function sortCompared(agents: readonly Agent[]): Agent[] {
  return agents.toSorted((one, other) => (one.createdAt + one.id < other.createdAt + other.id ? 1 : -1));
}
