import type { ListedAgent } from '@agent-registry/contracts';
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { matchesAllWords, parseQueryWords } from '../../components/highlight.ts';
import type { BrowseParams } from '../../navigation/browse-params.ts';

/** Whether the browser is offline. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  for (const type of ['online', 'offline']) window.addEventListener(type, onChange);
  return () => {
    for (const type of ['online', 'offline']) window.removeEventListener(type, onChange);
  };
}

/** The agents in memory that belong to a list, in the order in which they were loaded. */
export function useCachedMatches(params: BrowseParams, enabled: boolean): ListedAgent[] {
  const queryClient = useQueryClient();
  if (!enabled) return [];
  const { category, text, pricing, apiAccess } = params;
  const words = category ? [] : parseQueryWords(text);
  const lists = queryClient.getQueriesData<InfiniteData<{ agents: ListedAgent[] }>>({
    predicate: ({ queryKey }) => queryKey.at(-1) === 'pages',
  });
  const agents = lists.flatMap(([, list]) => list?.pages.flatMap((page) => page.agents) ?? []);
  return [...new Map(agents.map((agent) => [agent.id, agent])).values()].filter(
    (agent) =>
      (!category || agent.category === category) &&
      (pricing?.includes(agent.pricingModel) ?? true) &&
      (apiAccess?.includes(agent.apiAccess) ?? true) &&
      matchesAllWords(agent, words),
  );
}
