import {
  fold,
  getCategory,
  isProved,
  type BrowseParams,
  type Category,
  type ListedAgent,
} from '@agent-registry/contracts';
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useSiteConfig } from '../../lib/site-config.ts';
import { splitWords } from './split-words.ts';

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
  const { categories } = useSiteConfig();
  if (!enabled) return [];
  const { category, text, pricing, apiAccess, proved, capability, since } = params;
  const wanted = capability && fold(capability);
  const words = category ? [] : splitWords(text);
  const lists = queryClient.getQueriesData<InfiniteData<{ agents: ListedAgent[] }>>({
    predicate: ({ queryKey }) => queryKey.at(-1) === 'pages',
  });
  const agents = lists.flatMap(([, list]) => list?.pages.flatMap((page) => page.agents) ?? []);
  return [...new Map(agents.map((agent) => [agent.id, agent])).values()].filter(
    (agent) =>
      (!category || agent.category === category) &&
      (pricing?.includes(agent.pricingModel) ?? true) &&
      (apiAccess?.includes(agent.apiAccess) ?? true) &&
      (!proved || isProved(agent)) &&
      (wanted === undefined || agent.capabilities.some((own) => fold(own) === wanted)) &&
      (since === undefined || agent.createdAt >= since) &&
      hasAllWords(agent, getCategory(categories, agent.category), words),
  );
}

/** Whether each word occurs in a searchable field of an agent: a simple search for when the registry is out of reach. */
function hasAllWords(
  { name, capabilities, description }: ListedAgent,
  category: Category,
  words: readonly string[],
): boolean {
  const text = fold([name, ...capabilities, category.id, category.name, description].join(' '));
  return words.every((word) => text.includes(word));
}
