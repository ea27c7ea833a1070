import { getCategory, isFiltered, type BrowseParams, type Category } from '@agent-registry/contracts';

/** The label of a link back to a list. */
export function describeWayBack({ category, text, ...filters }: BrowseParams, categories: readonly Category[]): string {
  if (category) return `Back to ${getCategory(categories, category).name}`;
  if (text) return `Back to results for ‘${text}’`;
  return isFiltered(filters) ? 'Back to results' : 'All agents';
}
