import { isSuggestible, toAgentPath, type BrowseParams, type Suggestions } from '@agent-registry/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/trpc.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

/** How long typing has to pause before suggestions are requested, in milliseconds. */
const DEBOUNCE = 120;

export type Suggestion = {
  label: string;
  agent?: Suggestions['agents'][number];
  target: { path: string } | { change: Partial<BrowseParams> };
};

export type SuggestionGroup = { heading?: string; rows: Suggestion[] };

/** The suggestions for a text, null while an input method composes; for an empty one the last searches and the categories. */
export function useSuggestions(typed: string | null): SuggestionGroup[] {
  const { client, queries } = useApi();
  const { categories } = useSiteConfig();
  const text = typed?.trim() ?? '';
  const [q] = useDebouncedValue(text, DEBOUNCE);
  const { data } = useQuery({
    queryKey: queries.agents.suggest.queryOptions({ q }).queryKey,
    // With its signal, a request is aborted when the next one starts.
    queryFn: ({ signal }) => client.agents.suggest.query({ q }, { signal }),
    enabled: isSuggestible(q),
    placeholderData: keepPreviousData,
  });

  if (typed === null) return [];
  if (text === '') {
    return withoutEmpty([
      { heading: 'Recent searches', rows: readRecentSearches().map((search) => toRow(search)) },
      { heading: 'Categories', rows: categories.map(toCategoryRow) },
    ]);
  }
  if (!isSuggestible(text)) return [];
  return withoutEmpty([
    {
      heading: 'Agents',
      rows: (data?.agents ?? []).map((agent) => ({
        label: agent.name,
        agent,
        target: { path: toAgentPath(agent.id) },
      })),
    },
    { heading: 'Capabilities', rows: (data?.capabilities ?? []).map((name) => toRow(name)) },
    { heading: 'Categories', rows: (data?.categories ?? []).map(toCategoryRow) },
    { rows: [toRow(text, `Search all agents for ‘${text}’`)] },
  ]);
}

function toRow(text: string, label = text): Suggestion {
  return { label, target: { change: { category: undefined, text, correct: undefined } } };
}

function toCategoryRow({ id, name }: Suggestions['categories'][number]): Suggestion {
  return { label: name, target: { change: { category: id, text: '', correct: undefined } } };
}

function withoutEmpty(groups: SuggestionGroup[]): SuggestionGroup[] {
  return groups.filter(({ rows }) => rows.length > 0);
}

const STORAGE_KEY = 'agent-registry.searches';
const MAX_SEARCHES = 3;

function readRecentSearches(): string[] {
  const parse = (json: unknown): string[] =>
    Array.isArray(json) ? json.filter((search) => typeof search === 'string') : [];
  return readStored(STORAGE_KEY, parse)?.slice(0, MAX_SEARCHES) ?? [];
}

export function keepSearch(typed: string): void {
  const text = typed.trim();
  if (text === '') return;
  const others = readRecentSearches().filter((search) => search !== text);
  writeStored(STORAGE_KEY, [text, ...others].slice(0, MAX_SEARCHES));
}
