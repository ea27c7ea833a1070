import type { SortOrder } from '@agent-registry/contracts';
import type { ExpressionBuilder, ExpressionWrapper, OrderByDirection, SqlBool } from 'kysely';
import type { AgentRow, Tables } from '../db/tables.ts';

/** The columns that order a list, all in one direction. Agents that are equal in them are ordered by `id`, ascending. */
type ListOrder = {
  columns: readonly ('created_at' | 'rating' | 'review_count' | 'sort_name')[];
  direction: OrderByDirection;
};

/** The orders of lists. Each has an index, and one that begins with the category. */
const listOrders: Record<SortOrder, ListOrder> = {
  newest: { columns: ['created_at'], direction: 'desc' },
  rating: { columns: ['rating', 'review_count', 'created_at'], direction: 'desc' },
  reviews: { columns: ['review_count', 'rating', 'created_at'], direction: 'desc' },
  name: { columns: ['sort_name'], direction: 'asc' },
};

/** A side of an agent in a list. */
export type Side = 'after' | 'before';

type OrderedColumn = ListOrder['columns'][number] | 'id';

/** The terms of ORDER BY: from the first agent to the last for `after`, the other way round for `before`. */
export function orderTerms(sort: SortOrder, side: Side): [column: OrderedColumn, direction: OrderByDirection][] {
  const { columns, direction } = listOrders[sort];
  const reverse = { asc: 'desc', desc: 'asc' } as const;
  const terms = [...columns.map((column) => [column, direction] as const), ['id', 'asc'] as const];
  return terms.map(([column, forwards]) => [column, side === 'after' ? forwards : reverse[forwards]]);
}

/** A place in a list: the values that order an agent, and its id. */
export type Place = { id: string; values: readonly (string | number)[] };

/** The columns of a row that place it in lists. */
export type PlacedRow = Pick<AgentRow, OrderedColumn>;

/** The place of a row in a list. */
export function placeOf(row: PlacedRow, sort: SortOrder): Place {
  return { id: row.id, values: listOrders[sort].columns.map((column) => row[column]) };
}

/** The condition of the rows on one side of a place (keyset paging); `isIncluded` adds the row at the place itself. */
export function isBeside(
  where: ExpressionBuilder<Tables, 'agents'>,
  { place, side, sort, isIncluded = false }: { place: Place; side: Side; sort: SortOrder; isIncluded?: boolean },
): ExpressionWrapper<Tables, 'agents', SqlBool> {
  const { columns, direction } = listOrders[sort];
  const isUpwards = (direction === 'asc') === (side === 'after');
  const [first, second, third] = columns;
  const [value, ...others] = place.values as [string | number, ...(string | number)[]];
  const compare = (operator: '<' | '<=' | '>' | '>=') =>
    second && third
      ? where(
          where.refTuple(first as OrderedColumn, second, third),
          operator,
          where.tuple(value, others[0] as number, others[1] as string),
        )
      : where(first as OrderedColumn, operator, value);
  const isBesideId = where('id', `${side === 'after' ? '>' : '<'}${isIncluded ? '=' : ''}`, place.id);
  // Two conditions instead of one OR, so that the index gives the start.
  return where.and([compare(isUpwards ? '>=' : '<='), where.or([compare(isUpwards ? '>' : '<'), isBesideId])]);
}
