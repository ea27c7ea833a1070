import type { Agent } from '@agent-registry/contracts';
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';

/** Finds an agent in the cached lists, as placeholder data until it is loaded. */
export function useCachedAgent(id: string): Agent | undefined {
  const queries = useQueryClient().getQueriesData<Partial<InfiniteData<{ agents: Agent[] }>>>({});
  const agents = queries.flatMap(([, list]) => list?.pages ?? []).flatMap((page) => page.agents);
  return agents.find((agent) => agent.id === id);
}
