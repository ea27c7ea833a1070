import type { Agent } from '@agent-registry/contracts';
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { trpc } from '../../trpc.ts';

/** An agent as it was in a list that has been read, if it was in one: to be shown until it is read itself. */
export function useListedAgent(id: string): Agent | undefined {
  const answers = useQueryClient().getQueriesData<Partial<InfiniteData<{ agents: Agent[] }>>>({
    queryKey: getQueryKey(trpc.agents),
  });
  const agents = answers.flatMap(([, answer]) => answer?.pages ?? []).flatMap((part) => part.agents);
  return agents.find((agent) => agent.id === id);
}
