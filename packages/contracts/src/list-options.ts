import type { ApiAccess, Option, PricingModel } from './agent-fields.ts';
import type { Proved } from './website-proof.ts';

/** The orders of a list on the wire. */
export const sortValues = ['newest', 'rating', 'reviews', 'name'] as const;

/** The order of a list. */
export type SortOrder = (typeof sortValues)[number];

/** The orders with their labels. Without one, lists are newest first and searches best match first. */
export const sortOptions: readonly Option<SortOrder>[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'rating', label: 'Best rated first' },
  { value: 'reviews', label: 'Most reviewed first' },
  { value: 'name', label: 'Name, A to Z' },
];

/** Filters of a list: the agents with one of the values of each filter. */
export type AgentFilters = {
  pricing?: readonly PricingModel[] | undefined;
  apiAccess?: readonly ApiAccess[] | undefined;
  /** The agents whose owner proved to control the website. */
  proved?: readonly Proved[] | undefined;
};

/** The query parameters that take several values, separated by commas. */
export const FILTER_PARAMETERS = ['pricing', 'apiAccess', 'proved'] as const satisfies readonly (keyof AgentFilters)[];

/**
 * Splits the values of a filter parameter, which may be repeated, and removes duplicates. The order is canonical, the
 * values are not validated.
 * @example splitFilter(['paid,free', 'free']) // ['free', 'paid']
 */
export function splitFilter(values: string | readonly string[]): string[] {
  return [...new Set([values].flat().flatMap((value) => value.split(',')))].toSorted();
}
