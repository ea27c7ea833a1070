import {
  apiAccessOptions,
  pricingModels,
  provedOption,
  toFirstPage,
  type BrowseParams,
  type Option,
} from '@agent-registry/contracts';
import { describeDay } from '../../components/age.ts';

/** "Yes" answers the question of the form; a filter asks none. */
export const apiOptions = apiAccessOptions.map(({ value, label }) => ({ value, label: label.replace(/^Yes - /, '') }));

/** A filter of a list: its label, and the list without it. */
export type ActiveFilter = { label: string; list: BrowseParams };

/** The filters of a list, in the order of their menus. */
export function listActiveFilters(params: BrowseParams): ActiveFilter[] {
  const first = toFirstPage(params);
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

/** The periods of the menu "Added", each by its first day. */
export function listPeriods(today: string): Option<string>[] {
  return [
    { value: shiftDay(today, { days: 7 }), label: 'Past week' },
    { value: shiftDay(today, { months: 1 }), label: 'Past month' },
    { value: shiftDay(today, { months: 12 }), label: 'Past year' },
  ];
}

/** A day that is earlier than another one, both in UTC, such as `2026-11-18`. */
function shiftDay(day: string, { days = 0, months = 0 }: { days?: number; months?: number }): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() - days);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.toISOString().slice(0, 10);
}

/** Adds a value to the values of a filter, or removes it; undefined for a filter without values. */
export function toggle<Value>(values: readonly Value[], value: Value): Value[] | undefined {
  const toggled = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  return toggled.length > 0 ? toggled : undefined;
}

function labelOf<Value extends string>(options: readonly Option<Value>[], value: Value): string {
  return options.find((option) => option.value === value)?.label ?? value;
}
