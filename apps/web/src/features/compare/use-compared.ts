import { isAgentId, type Agent } from '@agent-registry/contracts';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { readStatus } from '../../api/request-errors.ts';
import { useApi, withdrawnKey } from '../../api/trpc.ts';

export type Compared = {
  /** In the order of the comparison; undefined until all are loaded. */
  agents: Agent[] | undefined;
  missing: { id: string; isWithdrawn: boolean }[];
  /** Why an agent could not be loaded, or null. */
  error: unknown;
  retry: () => Promise<unknown>;
};

export function useCompared(ids: readonly string[]): Compared {
  const { queries } = useApi();
  const queryClient = useQueryClient();
  const results = useQueries({
    queries: ids.map((id) => ({ ...queries.agents.get.queryOptions({ id }), enabled: isAgentId(id) })),
  });
  const found = ids.map((id, index) => {
    const { data, error = null, refetch } = results[index] ?? {};
    const status = readStatus(error);
    const isWithdrawn = status === 410 || queryClient.getQueryData(withdrawnKey(id)) === true;
    // The server's page has null in place of an error.
    const isMissing = isWithdrawn || data === null || status === 404 || status === 400 || !isAgentId(id);
    return { id, agent: data, error, refetch, isWithdrawn, isMissing };
  });
  const agents = found.flatMap(({ agent, isMissing }) => (agent && !isMissing ? [agent] : []));
  const missing = found.filter(({ isMissing }) => isMissing);
  const failed = found.filter(({ agent, error, isMissing }) => !agent && !isMissing && error !== null);
  return {
    agents: agents.length + missing.length === ids.length ? sortCompared(agents) : undefined,
    missing,
    error: failed[0]?.error ?? null,
    retry: () => Promise.all(failed.flatMap(({ refetch }) => (refetch ? [refetch()] : []))),
  };
}

/** Sorts the agents of a comparison as every list, newest first, so that all orders of the ids are one page. */
export function sortCompared(agents: readonly Agent[]): Agent[] {
  return agents.toSorted(byNewest);
}

function byNewest(a: Agent, b: Agent): number {
  const [first, second] = [a.createdAt + a.id, b.createdAt + b.id];
  if (first === second) return 0;
  return first > second ? -1 : 1;
}
