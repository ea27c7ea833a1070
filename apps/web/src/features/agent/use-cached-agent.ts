import type { Agent } from '@agent-registry/contracts';
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';

/** An agent as it was in a list that has been read, if it was in one: to be shown until it is read itself. */
export function useCachedAgent(id: string): Agent | undefined {
  const answers = useQueryClient().getQueriesData<Partial<InfiniteData<{ agents: Agent[] }>>>({});
  const agents = answers.flatMap(([, answer]) => answer?.pages ?? []).flatMap((part) => part.agents);
  return agents.find((agent) => agent.id === id);
}
