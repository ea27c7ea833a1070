import type { AgentFilters, CategoryId, FieldFilter, SortOrder } from '@agent-registry/contracts';
import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type OrderByDirection,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';
import type { Engine } from '../db/engine.ts';
import { fieldColumns } from '../db/records.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import type { Matching } from '../search/search.ts';
import { toKey, toWebsiteKey } from './text-keys.ts';
import { toSum } from './agent-rows.ts';

export type ListFilters = AgentFilters & {
  category?: CategoryId | undefined;
  /** The website, in any of the forms that `toWebsiteKey` makes equal. */
  website?: string | undefined;
};

/** The agents of a list, of those that match a text if there is one. */
export type SelectedList = ListFilters & {
  matching?: Matching;
  /** How many match, for a page in an order. */
  matches?: number | undefined;
  /** Of those that match, only so many of the latest. */
  latest?: number | undefined;
};

/** Up to this many agents are found in the index of a filter and sorted; more are looked for in the order of the list. */
const MAX_SORTED = 1_000;

type Condition = Expression<SqlBool>;

const where = expressionBuilder<Tables, 'agents'>();

/** The conditions of the filters whose agents are counted in `agent_counts`, which has the same columns. */
const counted = {
  category: ({ category }: ListFilters) => category !== undefined && where('category', '=', category),
  ...(Object.fromEntries(
    fieldColumns.map(({ name, column }) => [
      name,
      (list: ListFilters) => list[name] && where(column, 'in', list[name] as never),
    ]),
  ) as Pick<Conditions, FieldFilter['name']>),
  // The first half names the index.
  connects: ({ connects }: ListFilters) =>
    connects && sql<SqlBool>`connects > 0 AND (connects & ${toSum(connects)}) > 0`,
  proved: ({ proved }: ListFilters) => proved && where('is_proved', '=', sql.lit(1)),
};

const conditions: Conditions = {
  ...counted,
  capability: ({ capability }) => capability !== undefined && hasCapability(toKey(capability)),
  since: ({ since }) => since !== undefined && where('agents.listed_at', '>=', since),
  website: ({ website }) => website !== undefined && where('website_key', '=', toWebsiteKey(website)),
};

type Conditions = Record<keyof ListFilters, (list: ListFilters) => Condition | false | undefined>;

/** The conditions of the agents that the filters leave, which read the indexes of the filters. */
export function toConditions(list: ListFilters): Condition[] {
  return Object.values(conditions).flatMap((toCondition) => toCondition(list) || []);
}

export function namesOf(list: ListFilters): (keyof ListFilters)[] {
  return (Object.keys(conditions) as (keyof ListFilters)[]).filter((name) => list[name] !== undefined);
}

export function isCounted(list: ListFilters): boolean {
  return namesOf(list).every((name) => name in counted);
}

/** Selects the agents of a list, in an index of the order of the list or of a filter that leaves few. */
export async function selectList(engine: Engine, list: SelectedList) {
  return selectWhere(engine, list, await findConditions(engine.db, list));
}

/** Selects the agents of a list in any order, to be counted. */
export function selectUnordered(engine: Engine, list: SelectedList) {
  return selectWhere(engine, list, toConditions(list));
}

function selectWhere(
  engine: Engine,
  { matching, matches = 0, latest }: SelectedList,
  conditions: readonly Condition[],
) {
  const isMatch = (found: Matching) =>
    'seqs' in found ? where('seq', 'in', found.seqs) : engine.isMatch(found, { latest, areMany: matches > MAX_SORTED });
  return engine.db
    .selectFrom('agents')
    .where((where) => where.and(conditions))
    .$if(matching !== undefined, (query) => query.where(isMatch(matching as Matching)));
}

/** Runs a query; one that reads the matches of a text may read much. */
export function runList<Row>(
  engine: Engine,
  { matching }: SelectedList,
  query: SelectQueryBuilder<Tables, 'agents', Row>,
): Promise<Row[]> {
  return matching ? engine.readMuch(query) : query.execute();
}

/**
 * The conditions of the agents that the filters leave, for a page in an order. A filter that leaves few agents reads its
 * index; one that leaves many is checked on the agents in their order. Engines know neither number.
 */
async function findConditions(db: Kysely<Tables>, { capability, since, ...others }: ListFilters): Promise<Condition[]> {
  const found = toConditions(others);
  if (capability !== undefined) {
    const key = toKey(capability);
    const areFew = await leavesFew(db, selectCapable(key));
    found.push(areFew ? hasCapability(key) : checkCapability(key));
  }
  if (since !== undefined) {
    const listed = where.selectFrom('agents').where('agents.listed_at', '>=', since).select('agents.seq');
    // No index has the expression.
    const listedAt = where.fn.coalesce('agents.listed_at', sql.lit(''));
    found.push((await leavesFew(db, listed)) ? where('agents.seq', 'in', listed) : where(listedAt, '>=', since));
  }
  return found;
}

/** Whether a filter leaves few agents, counted no further than that. */
async function leavesFew<Table extends keyof Tables>(
  db: Kysely<Tables>,
  seqs: SelectQueryBuilder<Tables, Table, { seq: number }>,
): Promise<boolean> {
  const { agents } = await db
    .selectFrom(seqs.limit(MAX_SORTED + 1).as('first'))
    .select((select) => select.fn.countAll<number>().as('agents'))
    .executeTakeFirstOrThrow();
  return agents <= MAX_SORTED;
}

/** The condition of the agents with a capability, which reads them from its index. */
function hasCapability(key: string): Condition {
  return where('agents.seq', 'in', selectCapable(key));
}

/** The same condition, which checks an agent. */
function checkCapability(key: string): Condition {
  return where.exists(selectCapable(key).whereRef('text_keys.seq', '=', 'agents.seq'));
}

function selectCapable(key: string) {
  return where.selectFrom('text_keys').select('text_keys.seq').where('kind', '=', 'capability').where('key', '=', key);
}

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

export type Side = 'after' | 'before';

type OrderedColumn = ListOrder['columns'][number] | 'id';

/** Orders a query: from the first agent to the last for `after`, the other way round for `before`. */
export function inOrder(sort: SortOrder, side: Side = 'after') {
  const { columns, direction } = listOrders[sort];
  const reverse = { asc: 'desc', desc: 'asc' } as const;
  const turn = (forwards: OrderByDirection) => (side === 'after' ? forwards : reverse[forwards]);
  return <Row>(query: SelectQueryBuilder<Tables, 'agents', Row>) =>
    columns.reduce((ordered, column) => ordered.orderBy(column, turn(direction)), query).orderBy('id', turn('asc'));
}

/** A place in a list: the values that order an agent, and its id. */
export type Place = { id: string; values: readonly (string | number)[] };

export type PlacedRow = Pick<AgentRow, OrderedColumn>;

export function placeOf(row: PlacedRow, sort: SortOrder): Place {
  return { id: row.id, values: listOrders[sort].columns.map((column) => row[column]) };
}

/** The condition of the rows on one side of a place (keyset paging); `isIncluded` adds the row at the place itself. */
export function isBeside(
  where: ExpressionBuilder<Tables, 'agents'>,
  { place, side, sort, isIncluded = false }: { place: Place; side: Side; sort: SortOrder; isIncluded?: boolean },
): Condition {
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
