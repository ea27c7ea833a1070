import { parseBrowseParams, type BrowseParams, type Category } from '@agent-registry/contracts';

/** The list in the query of a URL; all agents where it names a list that cannot be. */
export function readList(search: string, categories: readonly Category[]): BrowseParams {
  return parseBrowseParams(new URLSearchParams(search), categories) ?? { text: '' };
}
