import type SQLite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

/** The largest number of prepared statements that are cached for a connection. */
const MAX_PREPARED = 200;

/** The rows of a statement that returns rows, or the number of rows that it changed. */
export type StatementResult = { rows: unknown[]; changes?: number };

/** Runs a statement with its parameters. */
export type RunStatement = (text: string, parameters: readonly unknown[]) => StatementResult;

/** Creates the function that runs statements on a connection, with a cache of prepared statements. */
export function prepareStatements(connection: SQLite.Database): RunStatement {
  const prepared = new LRUCache<string, SQLite.Statement>({ max: MAX_PREPARED });
  return (text, parameters) => {
    let statement = prepared.get(text);
    if (!statement) prepared.set(text, (statement = connection.prepare(text)));
    if (statement.reader) return { rows: statement.all(...parameters) };
    return { rows: [], changes: statement.run(...parameters).changes };
  };
}
