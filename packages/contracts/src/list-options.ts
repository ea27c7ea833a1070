import { MAX_CAPABILITY_LENGTH, type ApiAccess, type Option, type PricingModel } from './agent-fields.ts';
import { countCharacters, toMaxUnits } from './characters.ts';
import { fold, WORD_PATTERN } from './search-text.ts';
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
  /** A capability in any spelling. */
  capability?: string | undefined;
  /** The UTC day, such as `2026-11-18`, on or after which the agents were first listed. */
  since?: string | undefined;
};

/** The query parameters that take several values, separated by commas. */
export const FILTER_PARAMETERS = ['pricing', 'apiAccess', 'proved'] as const satisfies readonly (keyof AgentFilters)[];

/** The query parameters of all filters. */
export const ALL_FILTER_PARAMETERS = [
  ...FILTER_PARAMETERS,
  'capability',
  'since',
] as const satisfies readonly (keyof AgentFilters)[];

/** Whether a list can be filtered by a capability: at least two letters or digits of it tell it from others. */
export function isCapabilityFilter(text: string): boolean {
  if (text.length > toMaxUnits(MAX_CAPABILITY_LENGTH) || countCharacters(text) > MAX_CAPABILITY_LENGTH) return false;
  const words = fold(text).match(new RegExp(WORD_PATTERN, 'gu'))?.join('') ?? '';
  return Array.from(words).length >= 2;
}

/** Whether a text is a day, such as `2026-11-18`. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Splits the values of a filter parameter, which may be repeated, and removes duplicates. The order is canonical, the
 * values are not validated.
 * @example splitFilter(['paid,free', 'free']) // ['free', 'paid']
 */
export function splitFilter(values: string | readonly string[]): string[] {
  return [...new Set([values].flat().flatMap((value) => value.split(',')))].toSorted();
}
