import { readStored, writeStored } from '../../lib/storage.ts';

const STORAGE_KEY = 'agent-registry.searches';

const MAX_SEARCHES = 3;

/** The last searches in this browser, the latest first. */
export function readRecentSearches(): string[] {
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
