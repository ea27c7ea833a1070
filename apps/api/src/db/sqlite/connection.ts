import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { DatabaseError } from '../../database-error.ts';

/** The largest number of prepared statements that are cached for a connection. */
const MAX_PREPARED = 200;

/** The rows of a statement that returns rows, or the number of rows that it changed. */
export type StatementResult = { rows: unknown[]; changes?: number };

/** Runs a statement with its parameters. */
export type RunStatement = (text: string, parameters: readonly unknown[]) => StatementResult;

/** How long a statement waits for the locks of other connections, in milliseconds. */
export const BUSY_TIMEOUT = 5_000;

/**
 * Opens a connection to a SQLite file. Creates the file and its folder when missing.
 * @throws {DatabaseError} when the file cannot be created, opened or read as a database.
 */
export function openSqliteFile(path: string): SQLite.Database {
  try {
    makeFolder(dirname(path));
    const database = new SQLite(path, { timeout: BUSY_TIMEOUT });
    database.pragma('journal_mode = WAL');
    // better-sqlite3 defaults to NORMAL with WAL, which can lose acknowledged commits in a power cut.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    // Deleted rows are overwritten, or an erased agent stays readable in the file.
    database.pragma('secure_delete = ON');
    // The first read creates the -wal and -shm files.
    database.pragma('schema_version');
    return database;
  } catch (cause) {
    throw new DatabaseError(`The database ${path} cannot be opened`, cause);
  }
}

/** Opens a read-only connection to an existing SQLite file. */
export function openSqliteReader(path: string): SQLite.Database {
  return new SQLite(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
}

/** Creates a folder and its parents; the option `recursive` of Node never ends below `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

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
