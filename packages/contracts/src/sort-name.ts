import { cutText } from './characters.ts';
import { fold } from './search-text.ts';

/**
 * Longest key by which names are sorted, in UTF-16 code units: an index of PostgreSQL takes at most 2,700 bytes a row, and a
 * cursor holds the key.
 */
const MAX_SORT_NAME_UNITS = 800;

/** The key by which a name is sorted: folded, and cut where the name has far more code units than characters. */
export function toSortName(name: string): string {
  return cutText(fold(name), MAX_SORT_NAME_UNITS, MAX_SORT_NAME_UNITS);
}
