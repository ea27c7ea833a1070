import {
  formatCount,
  getCategory,
  isSuggestible,
  toAgentPath,
  type BrowseParams,
  type Category,
  type Suggestions,
} from '@agent-registry/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/trpc.ts';
import { useFacets } from '../../api/use-agent-list.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { readStored, writeStored } from '../../lib/storage.ts';

/** How long typing has to pause before suggestions are requested, in milliseconds. */
const DEBOUNCE = 120;

/** A row of the list: what it shows, and the page of an agent or the change of the list that it leads to. */
export type Suggestion = {
  label: string;
  /** Shown at the end of the row. */
  note?: string;
  /** The agent whose mark is shown. */
  agent?: Suggestions['agents'][number];
  target: { path: string } | { change: Partial<BrowseParams> };
};

/** Rows below a heading, or without one. */
export type SuggestionGroup = { heading?: string; rows: Suggestion[] };

/** The suggestions for a text, null while an input method composes; for an empty one the last searches. */
export function useSuggestions(typed: string | null): SuggestionGroup[] {
  const { client, queries } = useApi();
  const { categories } = useSiteConfig();
  const { chosen } = useChosenList();
  // The list of the page has loaded them for its filters.
  const facets = useFacets(chosen, { enabled: false });
  const text = typed?.trim() ?? '';
  const [q] = useDebouncedValue(text, DEBOUNCE);
  const { data } = useQuery({
    queryKey: queries.agents.suggest.queryOptions({ q }).queryKey,
    // With its signal, a request is aborted when the next one starts.
    queryFn: ({ signal }) => client.agents.suggest.query({ q }, { signal }),
    enabled: isSuggestible(q),
    placeholderData: keepPreviousData,
  });

  const toSearch = (search: string) => ({ change: { category: undefined, text: search, correct: undefined } });
  const toRow = (search: string, note?: string): Suggestion => ({
    label: search,
    ...(note && { note }),
    target: toSearch(search),
  });
  if (typed === null) return [];
  if (text === '') {
    return withoutEmpty([
      { heading: 'Recent searches', rows: readRecentSearches().map((search) => toRow(search)) },
      {
        heading: 'Often listed',
        rows: (facets?.capabilities ?? []).map(({ name, agents }) => ({
          label: name,
          note: `· ${formatCount(agents)}`,
          target: { change: { capability: name } },
        })),
      },
    ]);
  }
  if (!isSuggestible(text)) return [];
  return withoutEmpty([
    { heading: 'Agents', rows: (data?.agents ?? []).map((agent) => toAgentRow(agent, categories)) },
    {
      heading: 'Capabilities',
      rows: (data?.capabilities ?? []).map(({ name, agents }) => toRow(name, `· ${formatCount(agents)}`)),
    },
    {
      heading: 'Categories',
      rows: (data?.categories ?? []).map(({ id, name }) => ({
        label: name,
        target: { change: { ...toSearch('').change, category: id } },
      })),
    },
    { rows: [{ label: `Search all agents for ‘${text}’`, target: toSearch(text) }] },
  ]);
}

function toAgentRow(agent: Suggestions['agents'][number], categories: readonly Category[]): Suggestion {
  const { id, name, category } = agent;
  return { label: name, note: getCategory(categories, category).name, agent, target: { path: toAgentPath(id) } };
}

function withoutEmpty(groups: SuggestionGroup[]): SuggestionGroup[] {
  return groups.filter(({ rows }) => rows.length > 0);
}

const STORAGE_KEY = 'agent-registry.searches';

const MAX_SEARCHES = 3;

/** The last searches in this browser, the latest first. */
function readRecentSearches(): string[] {
  return readStored(STORAGE_KEY, parseSearches) ?? [];
}

/** Keeps a search in this browser as the latest; blank text is none. */
export function keepSearch(typed: string): void {
  const text = typed.trim();
  if (text === '') return;
  const others = readRecentSearches().filter((search) => search !== text);
  writeStored(STORAGE_KEY, [text, ...others].slice(0, MAX_SEARCHES));
}

function parseSearches(json: unknown): string[] | undefined {
  if (!Array.isArray(json)) return undefined;
  return json.filter((search) => typeof search === 'string').slice(0, MAX_SEARCHES);
}
