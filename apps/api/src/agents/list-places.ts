import { parseCursor, toSortName, type SortOrder } from '@agent-registry/contracts';
import type { PagePart } from './agent-store.ts';
import { isBeside, orderTerms, placeOf, type Place, type Side } from './list-orders.ts';
import type { ListSelection, SelectedList } from './list-selection.ts';

/** A list in an order. */
export type OrderedList = SelectedList & { sort?: SortOrder | undefined };

/** The start of a page: a place in the list, and the side of it that is read. */
export type Start = { place: Place; side: Side };

/** Creates the functions that find where pages of lists start. */
export function createListPlaces({ select, run }: ListSelection) {
  return { findPosition, findStart, findStartOfName };

  /** The position of the first agent of a page, from 1. */
  async function findPosition(
    { sort = 'newest', ...selection }: OrderedList,
    start: Start | undefined,
    length: number,
  ): Promise<number> {
    if (!start) return 1;
    const { place, side } = start;
    const [counted] = await run(
      selection,
      (await select(selection))
        .select((earlier) => earlier.fn.countAll<number>().as('agents'))
        // The agent of the place comes before a page that starts after it.
        .where((where) => isBeside(where, { place, side: 'before', sort, isIncluded: side === 'after' })),
    );
    const earlier = counted?.agents ?? 0;
    return side === 'after' ? earlier + 1 : earlier - length + 1;
  }

  /** The start of a page; null when its cursor is of another order, or an id that is not in the list. */
  async function findStart(
    { sort = 'newest', ...selection }: OrderedList,
    { after, before }: Pick<PagePart, 'after' | 'before'>,
  ): Promise<Start | undefined | null> {
    const cursor = parseCursor(after ?? before ?? '');
    if (!cursor) return undefined;
    const { id, place } = cursor;
    const side = after === undefined ? 'before' : 'after';
    if (place) return place.order === sort ? { place: { id, values: place.values }, side } : null;
    const [row] = await run(selection, (await select(selection)).selectAll().where('id', '=', id));
    return row ? { place: placeOf(row, sort), side } : null;
  }

  /** The start of a page at a text in the order of names; undefined for the first page. */
  async function findStartOfName(selection: OrderedList, from: string): Promise<Start | undefined> {
    const earlier = orderTerms('name', 'before').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      (await select(selection)).selectAll().where('sort_name', '<', toSortName(from)),
    );
    const [row] = await run(selection, earlier.limit(1));
    return row && { place: placeOf(row, 'name'), side: 'after' };
  }
}
