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

/** The condition of the rows on one side of a row (keyset paging). */
export function isBeside(
  where: ExpressionBuilder<Tables, 'agents'>,
  { row, side, sort }: { row: AgentRow; side: Side; sort: SortOrder },
): ExpressionWrapper<Tables, 'agents', SqlBool> {
  const { columns, direction } = listOrders[sort];
  const isUpwards = (direction === 'asc') === (side === 'after');
  const [first, second, third] = columns;
  const compare = (operator: '<' | '<=' | '>' | '>=') =>
    second && third
      ? where(
          where.refTuple(first as OrderedColumn, second, third),
          operator,
          where.tuple(row[first as OrderedColumn], row[second], row[third]),
        )
      : where(first as OrderedColumn, operator, row[first as OrderedColumn]);
  // Two conditions instead of one OR, so that the index gives the start.
  return where.and([
    compare(isUpwards ? '>=' : '<='),
    where.or([compare(isUpwards ? '>' : '<'), where('id', side === 'after' ? '>' : '<', row.id)]),
  ]);
}
