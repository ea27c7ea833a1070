import type { BrowseParams } from './browse-params.ts';
import { getCategory, type Category } from './category.ts';
import { formatCount } from './format-count.ts';
import type { SortOrder } from './list-options.ts';

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
