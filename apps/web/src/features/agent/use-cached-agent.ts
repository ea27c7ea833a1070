import type { Agent, ListedAgent } from '@agent-registry/contracts';
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';

/** Finds an agent in the cached lists, as placeholder data until it is loaded. Without its contact address it is none. */
export function useCachedAgent(id: string): Agent | undefined {
  const queries = useQueryClient().getQueriesData<Partial<InfiniteData<{ agents: ListedAgent[] }>>>({});
  const agents = queries.flatMap(([, list]) => list?.pages ?? []).flatMap((page) => page.agents);
  return agents.find((agent): agent is Agent => agent.id === id && agent.contactEmail !== null);
}
