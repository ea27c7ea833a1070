import type SQLite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

/** How many statements stay prepared: to prepare one takes about as long as to run a small one. */
const MAX_PREPARED = 200;

/** What a statement gives: rows, if it is one that gives some, or how many rows it has changed. */
export type StatementResult = { rows: unknown[]; changes?: number };

/** Runs a statement with its parameters. */
export type RunStatement = (text: string, parameters: readonly unknown[]) => StatementResult;

/** Makes the function that runs statements on a connection, each prepared once. */
export function prepareStatements(connection: SQLite.Database): RunStatement {
  const prepared = new LRUCache<string, SQLite.Statement>({ max: MAX_PREPARED });
  return (text, parameters) => {
    let statement = prepared.get(text);
    if (!statement) prepared.set(text, (statement = connection.prepare(text)));
    if (statement.reader) return { rows: statement.all(...parameters) };
    return { rows: [], changes: statement.run(...parameters).changes };
  };
}
