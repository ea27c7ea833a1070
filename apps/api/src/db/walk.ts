import { sql, type SelectQueryBuilder } from 'kysely';

export const ROWS_PER_STATEMENT = 500;

/** The tables that hold agents under their `seq`. */
export type AgentTable = 'agents' | 'unlisted_agents';

/** Splits a list into chunks for one statement each. */
export function* chunksOf<Item>(items: readonly Item[]): Generator<Item[], void, undefined> {
  for (let begin = 0; begin < items.length; begin += ROWS_PER_STATEMENT)
    yield items.slice(begin, begin + ROWS_PER_STATEMENT);
}

/**
 * Streams the rows of a query in the order of their keys, in chunks of one statement each.
 * @param key the columns by which rows are unique
 */
export async function* walkChunks<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  key: readonly (keyof Row & string)[],
): AsyncGenerator<Row[], void, undefined> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const next = key.reduce((ordered, column) => ordered.orderBy(sql.ref(column)), query.limit(ROWS_PER_STATEMENT));
  for (let last: Row | undefined; ;) {
    const after = last && sql<boolean>`(${columns}) > (${sql.join(key.map((column) => (last as Row)[column]))})`;
    const rows = await (after ? next.where(after) : next).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_STATEMENT) return;
    last = rows.at(-1);
  }
}

/** Streams the rows of a query in the order of their keys, as `walkChunks`. */
export async function* walk<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  key: readonly (keyof Row & string)[],
): AsyncGenerator<Row, void, undefined> {
  for await (const rows of walkChunks(query, key)) yield* rows;
}

/** Takes the first rows that together have at most `maxBytes`; at least one, if there are any. */
export function takeWithin<Row extends { size: number }>(rows: readonly Row[], maxBytes: number): Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ size }, index) => (bytes += size) > maxBytes && index > 0);
  return end === -1 ? [...rows] : rows.slice(0, end);
}
