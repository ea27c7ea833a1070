import type { Kysely, Selectable } from 'kysely';
import type { Tables } from './tables.ts';

/** Rows per statement. */
export const ROWS_PER_STATEMENT = 500;

/** The tables that hold agents under their `seq`. */
export type AgentTable = 'agents' | 'unlisted_agents';

/** Splits a list into chunks for one statement each. */
export function* chunksOf<Item>(items: readonly Item[]): Generator<Item[], void, undefined> {
  for (let begin = 0; begin < items.length; begin += ROWS_PER_STATEMENT)
    yield items.slice(begin, begin + ROWS_PER_STATEMENT);
}

/** Reads the next rows of a table after a `seq`. */
export function readChunk<Table extends AgentTable>(
  db: Kysely<Tables>,
  table: Table,
  last: number,
): Promise<Selectable<Tables[Table]>[]>;
export function readChunk(db: Kysely<Tables>, table: AgentTable, last: number): Promise<unknown[]> {
  return db.selectFrom(table).selectAll().where('seq', '>', last).orderBy('seq').limit(ROWS_PER_STATEMENT).execute();
}
