import type { ListedAgent, Agent } from './agent.ts';
import { connectsOf, connectsOptions, type Connectable } from './connections/connection.ts';
import { countCharacters, isStorable, toMaxUnits, fold, cutText } from './characters.ts';
import { fields, MAX_CAPABILITY_LENGTH } from './fields.ts';
import { isProved, type ProvedWebsite } from './website.ts';
import { WORD_PATTERN } from './word-patterns.ts';

/** The values of API access as a filter: "Yes" answers the question of the form. */
const apiOptions = fields.apiAccess.options.map(({ value, label }) => ({ value, label: label.replace(/^Yes - /, '') }));

/** The filters of a list in the order of the form; one of `options` leaves the agents with one of its values. */
export const filters = [
  {
    name: 'pricing',
    kind: 'options',
    field: 'pricingModel',
    label: fields.pricingModel.short,
    options: fields.pricingModel.options,
  },
  { name: 'apiAccess', kind: 'options', field: 'apiAccess', label: fields.apiAccess.label, options: apiOptions },
  { name: 'connects', kind: 'options', label: fields.connections.short, options: connectsOptions },
  { name: 'proved', kind: 'options', label: 'Owner', options: [{ value: 'yes', label: 'Proved by its owner' }] },
  { name: 'capability', kind: 'text' },
  { name: 'since', kind: 'text' },
] as const;

export type Filter = (typeof filters)[number];
export type FilterName = Filter['name'];
export type OptionFilter = Extract<Filter, { kind: 'options' }>;
export type FieldFilter = Extract<OptionFilter, { field: string }>;
export type TextFilterName = Extract<Filter, { kind: 'text' }>['name'];
type OptionValues = { [F in OptionFilter as F['name']]: F['options'][number]['value'] };
export type OptionFilterName = keyof OptionValues;

/** The filters of a list, parsed: accepted values in the order of the registry, a text, or undefined. */
export type AgentFilters = {
  [Name in OptionFilterName]?: readonly OptionValues[Name][] | undefined;
} & { [Name in TextFilterName]?: string | undefined };

export const optionFilters: readonly OptionFilter[] = filters.filter((filter) => filter.kind === 'options');
export const fieldFilters: readonly FieldFilter[] = optionFilters.filter((filter) => 'field' in filter);

type FilteredAgent = ProvedWebsite & Connectable & Pick<ListedAgent, FieldFilter['field']>;

const valuesOfOthers = {
  connects: connectsOf,
  proved: (agent) => (isProved(agent) ? ['yes'] : []),
} satisfies Record<Exclude<OptionFilterName, FieldFilter['name']>, (agent: FilteredAgent) => readonly string[]>;

export function optionsOf(agent: FilteredAgent, filter: OptionFilter): readonly string[] {
  return 'field' in filter ? [agent[filter.field]] : valuesOfOthers[filter.name](agent);
}

/** The filters that a list has, of one kind or all; of its other parameters none. */
export function pickFilters(list: AgentFilters, kind?: Filter['kind']): AgentFilters {
  const given = filters.filter((filter) => (kind ?? filter.kind) === filter.kind && list[filter.name] !== undefined);
  return Object.fromEntries(given.map(({ name }) => [name, list[name]]));
}

const checks: Record<TextFilterName, (text: string) => boolean> = { capability: isCapabilityFilter, since: isDay };

/** Reads a parameter from its values: undefined without one, null for what cannot be. An empty value, as forms send it, is none. */
export type ReadParameter = (given: readonly string[]) => unknown;

export function readFilter(filter: Filter, given: readonly string[]): unknown {
  return filter.kind === 'options' ? readOptions(given, toValues(filter)) : readText(given, checks[filter.name]);
}

export function toValues<Name extends OptionFilterName>(filter: OptionFilter & { name: Name }): OptionValues[Name][] {
  return filter.options.map(({ value }) => value as OptionValues[Name]);
}

/** Reads one or several values, separated by commas, in the order of the registry. */
export function readOptions<Value extends string>(
  given: readonly string[],
  values: readonly Value[],
): Value[] | undefined | null {
  const wanted = new Set(given.filter((text) => text.trim() !== '').flatMap((text) => text.split(',')));
  if (wanted.size === 0) return undefined;
  const found = values.filter((value) => wanted.has(value));
  return found.length === wanted.size ? found : null;
}

export function readOne(given: readonly string[], isPossible: (text: string) => boolean): string | undefined | null {
  const [value, ...others] = given;
  if (others.length > 0) return null;
  if (value === undefined || value.trim() === '') return undefined;
  return isPossible(value) ? value : null;
}

export function readText(given: readonly string[], isPossible: (text: string) => boolean): string | undefined | null {
  const texts = given.map((text) => text.trim());
  return readOne(texts, (text) => isStorable(text) && isPossible(text));
}

/** Whether a list can be filtered by a capability: at least two letters or digits of it tell it from others. */
export function isCapabilityFilter(text: string): boolean {
  if (text.length > toMaxUnits(MAX_CAPABILITY_LENGTH) || countCharacters(text) > MAX_CAPABILITY_LENGTH) return false;
  const words = fold(text).match(new RegExp(WORD_PATTERN, 'gu'))?.join('') ?? '';
  return Array.from(words).length >= 2;
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export const sortOptions = [
  { value: 'newest', label: 'Newest first' },
  { value: 'rating', label: 'Best rated first' },
  { value: 'reviews', label: 'Most reviewed first' },
  { value: 'name', label: 'Name, A to Z' },
] as const;

export type SortOrder = (typeof sortOptions)[number]['value'];

export const sortValues = sortOptions.map(({ value }) => value);

/** Longest key by which names are sorted, in UTF-16 code units: an index of PostgreSQL and a cursor hold it. */
const MAX_SORT_NAME_UNITS = 800;

/** The key by which a name is sorted: folded, and cut where the name has far more code units than characters. */
export function toSortName(name: string): string {
  return cutText(fold(name), MAX_SORT_NAME_UNITS, MAX_SORT_NAME_UNITS);
}

/** The time of the last edit of an agent, or of its registration: ISO 8601 in UTC. */
export function changedAt({ createdAt, updatedAt }: Pick<Agent, 'createdAt' | 'updatedAt'>): string {
  return updatedAt ?? createdAt;
}
