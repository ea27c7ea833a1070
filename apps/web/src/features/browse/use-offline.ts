import {
  filters,
  fold,
  functionWords,
  getCategory,
  isChosen,
  optionsOf,
  type BrowseParams,
  type Category,
  type Filter,
  type ListedAgent,
  type TextFilterName,
} from '@agent-registry/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { readCachedAgents } from '../../api/trpc.ts';
import { useSiteConfig } from '../../lib/site.ts';

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
  const { category, text } = params;
  const words = category ? [] : splitWords(text);
  const agents = readCachedAgents(queryClient);
  return [...new Map(agents.map((agent) => [agent.id, agent])).values()].filter(
    (agent) =>
      (!category || agent.category === category) &&
      filters.every((filter) => isLeft(agent, params, filter)) &&
      hasAllWords(agent, getCategory(categories, agent.category), words),
  );
}

/** The folded words of a search between blanks; function words only if there are no others. */
export function splitWords(text: string): string[] {
  const words = [...new Set(fold(text).split(/\s+/))].filter((word) => word !== '');
  const contentWords = words.filter((word) => !functionWords.has(word));
  return contentWords.length > 0 ? contentWords : words;
}

const textMatches = {
  capability: ({ capabilities }, text) => capabilities.some((own) => fold(own) === fold(text)),
  since: ({ createdAt }, day) => createdAt >= day,
} satisfies Record<TextFilterName, (agent: ListedAgent, text: string) => boolean>;

function isLeft(agent: ListedAgent, list: BrowseParams, filter: Filter): boolean {
  if (filter.kind === 'text') {
    const text = list[filter.name];
    return text === undefined || textMatches[filter.name](agent, text);
  }
  return list[filter.name] === undefined || optionsOf(agent, filter).some((value) => isChosen(list, filter, value));
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
