import { cutText, fold } from './characters.ts';
import type { Agent } from './agent.ts';

/** The orders of a list, with their labels. Without one, lists are newest first and searches best match first. */
export const sortOptions = [
  { value: 'newest', label: 'Newest first' },
  { value: 'rating', label: 'Best rated first' },
  { value: 'reviews', label: 'Most reviewed first' },
  { value: 'name', label: 'Name, A to Z' },
] as const;

/** The order of a list. */
export type SortOrder = (typeof sortOptions)[number]['value'];

export const sortValues = sortOptions.map(({ value }) => value);

/**
 * Longest key by which names are sorted, in UTF-16 code units: an index of PostgreSQL takes at most 2,700 bytes a row, and a
 * cursor holds the key.
 */
const MAX_SORT_NAME_UNITS = 800;

/** The key by which a name is sorted: folded, and cut where the name has far more code units than characters. */
export function toSortName(name: string): string {
  return cutText(fold(name), MAX_SORT_NAME_UNITS, MAX_SORT_NAME_UNITS);
}

/** The time of the last edit of an agent, or of its registration: ISO 8601 in UTC. */
export function changedAt({ createdAt, updatedAt }: Pick<Agent, 'createdAt' | 'updatedAt'>): string {
  return updatedAt ?? createdAt;
}
