import { toFirstPage, type BrowseParams, type ListStart } from './browse-params.ts';
import { getCategory, type Category } from './category.ts';
import { describeDay, formatCount } from './format.ts';
import { filters, type AgentFilters, type OptionFilter, type TextFilterName, sortOptions } from './filters.ts';
import type { Page } from './list.ts';

export function describeOrder({ category, text, sort }: Partial<BrowseParams>): string {
  const isSearch = text && !category;
  return sortOptions.find(({ value }) => value === sort)?.label ?? (isSearch ? 'Best match first' : 'Newest first');
}

type Total = Pick<Page, 'total' | 'totalBound'>;

/** The label of the agents of a search that have only some of its words, at the place where they begin. */
export const SOME_WORDS = 'With some of these words';

/** Names the number of agents of a list, such as `10,000+ agents`. */
export function countAgents({ total, totalBound }: Total): string {
  return `${formatCount(total, totalBound)} ${total === 1 ? 'agent' : 'agents'}`;
}

/**
 * Describes a list in words, and of a search how many agents have only some of its words.
 * @example describeList({ total: 1142 }, { text: 'translate' }, categories) // '1,142 agents for ‘translate’ · best match first'
 */
export function describeList(
  list: Total & Pick<Page, 'full'>,
  params: BrowseParams,
  categories: readonly Category[],
): string {
  const { category, text, sort } = params;
  const subject = category ? ` in ${getCategory(categories, category).name}` : text ? ` for ‘${text}’` : '';
  const order = sort === 'name' ? 'A to Z' : describeOrder(params).toLowerCase();
  const some = list.total - (list.full ?? list.total);
  const isSome = some > 0 && some === list.total;
  const others = some > 0 && !isSome ? `, ${formatCount(some)} of them with some of these words` : '';
  return `${countAgents(list)}${isSome ? ' with some of these words' : ''}${subject}${others} · ${order}`;
}

export type ActiveFilter<List> = { label: string; list: List };

const textLabels = {
  capability: (text) => text,
  since: (day) => `Added since ${describeDay(day, 'medium')}`,
} satisfies Record<TextFilterName, (text: string) => string>;

export function listActiveFilters<List extends AgentFilters & ListStart>(params: List): ActiveFilter<List>[] {
  const change = (changed: AgentFilters) => ({ ...toFirstPage(params), ...changed });
  return filters.flatMap((filter) => {
    const { name, kind } = filter;
    if (kind === 'text') {
      const text = params[name];
      return text === undefined ? [] : [{ label: textLabels[name](text), list: change({ [name]: undefined }) }];
    }
    return filter.options.flatMap(({ value, label }) =>
      isChosen(params, filter, value) ? [{ label, list: change(toggle(params, filter, value)) }] : [],
    );
  });
}

/** Names the agents of a list by its category or its text, and every filter; empty for all agents. */
export function describeSubject(
  { category, text, ...filters }: AgentFilters & Pick<Partial<BrowseParams>, 'category' | 'text'>,
  categories: readonly Category[],
): string {
  const subject = category ? getCategory(categories, category).name : text && `‘${text}’`;
  return [subject, ...listActiveFilters(filters).map(({ label }) => label)].filter(Boolean).join(', ');
}

export function isChosen(list: AgentFilters, { name }: OptionFilter, value: string | undefined): boolean {
  return list[name]?.some((other) => other === value) ?? false;
}

/** The filter of a list with one value more, or without it where the list has it. */
export function toggle(list: AgentFilters, filter: OptionFilter, value: string): AgentFilters {
  const toggled = filter.options
    .map((option) => option.value)
    .filter((other) => isChosen(list, filter, other) !== (other === value));
  return { [filter.name]: toggled.length > 0 ? toggled : undefined };
}
