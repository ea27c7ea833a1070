import type { Agent } from '@agent-registry/contracts';
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';

/** The key of the cache entry that says that an agent was withdrawn: a page's cached agent is null then. */
export function withdrawnKey(id: string) {
  return ['withdrawn', id] as const;
}

/** Finds an agent in the cached lists, as placeholder data until it is loaded. */
export function useCachedAgent(id: string): Agent | undefined {
  const queries = useQueryClient().getQueriesData<Partial<InfiniteData<{ agents: Agent[] }>>>({});
  const agents = queries.flatMap(([, list]) => list?.pages ?? []).flatMap((page) => page.agents);
  return agents.find((agent) => agent.id === id);
}
