import { apiAccessOptions, pricingModels, type Option } from './agent-fields.ts';
import type { BrowseParams, ListStart } from './browse-params.ts';
import { getCategory, type Category } from './category.ts';
import { describeDay } from './describe-day.ts';
import { formatCount } from './format-count.ts';
import type { AgentFilters, SortOrder } from './list-options.ts';
import { provedOption } from './website-proof.ts';

const orders: Record<SortOrder, string> = {
  newest: 'Newest',
  rating: 'Best rated',
  reviews: 'Most reviewed',
  name: 'A to Z',
};

/** Names the order of a list. */
export function describeOrder({ category, text, sort }: BrowseParams): string {
  if (sort) return orders[sort];
  return text && !category ? 'Best match' : orders.newest;
}

/**
 * Describes a list in words.
 * @example describeList(1142, { text: 'translate' }, categories) // '1,142 agents for ‘translate’ · best match first'
 */
export function describeList(total: number, params: BrowseParams, categories: readonly Category[]): string {
  const { category, text } = params;
  const agents = `${formatCount(total)} ${total === 1 ? 'agent' : 'agents'}`;
  const subject = category ? ` in ${getCategory(categories, category).name}` : text ? ` for ‘${text}’` : '';
  const order = describeOrder(params);
  return `${agents}${subject} · ${order === orders.name ? order : `${order.toLowerCase()} first`}`;
}

/** The values of API access as a filter: "Yes" answers the question of the form. */
export const apiOptions = apiAccessOptions.map(({ value, label }) => ({ value, label: label.replace(/^Yes - /, '') }));

/** A filter of a list: its label, and the list without it. */
export type ActiveFilter<List> = { label: string; list: List };

/** The filters of a list, in the order of their menus. */
export function listActiveFilters<List extends AgentFilters & ListStart>(params: List): ActiveFilter<List>[] {
  const first = { ...params, after: undefined, before: undefined, from: undefined };
  const { pricing = [], apiAccess = [], proved = [], capability, since } = params;
  return [
    ...pricing.map((value) => ({
      label: labelOf(pricingModels, value),
      list: { ...first, pricing: toggle(pricing, value) },
    })),
    ...apiAccess.map((value) => ({
      label: labelOf(apiOptions, value),
      list: { ...first, apiAccess: toggle(apiAccess, value) },
    })),
    ...proved.map(() => ({ label: provedOption.label, list: { ...first, proved: undefined } })),
    ...(capability === undefined ? [] : [{ label: capability, list: { ...first, capability: undefined } }]),
    ...(since === undefined
      ? []
      : [{ label: `Added since ${describeDay(since, 'medium')}`, list: { ...first, since: undefined } }]),
  ];
}

/** Names the agents of a list by its category or its text, and every filter; empty for all agents. */
export function describeSubject(
  { category, text, ...filters }: AgentFilters & Pick<Partial<BrowseParams>, 'category' | 'text'>,
  categories: readonly Category[],
): string {
  const subject = category ? getCategory(categories, category).name : text && `‘${text}’`;
  return [subject, ...listActiveFilters(filters).map(({ label }) => label)].filter(Boolean).join(', ');
}

/** Adds a value to the values of a filter, or removes it; undefined for a filter without values. */
export function toggle<Value>(values: readonly Value[], value: Value): Value[] | undefined {
  const toggled = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  return toggled.length > 0 ? toggled : undefined;
}

function labelOf<Value extends string>(options: readonly Option<Value>[], value: Value): string {
  return options.find((option) => option.value === value)?.label ?? value;
}
