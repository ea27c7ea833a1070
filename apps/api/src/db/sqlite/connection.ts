import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import { DatabaseError } from '../engine.ts';

/** How long a statement waits for another connection's write, in milliseconds. */
const BUSY_TIMEOUT = 5_000;

/**
 * Opens a connection to a SQLite file, which is created with its folder when missing.
 * @throws {DatabaseError} when the file cannot be created, opened or read as a database.
 */
export function openSqliteFile(path: string): SQLite.Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const database = new SQLite(path, { timeout: BUSY_TIMEOUT });
    database.pragma('journal_mode = WAL');
    // With WAL the library would choose NORMAL, which can lose an acknowledged commit to a power cut.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    return database;
  } catch (cause) {
    throw new DatabaseError(`The database ${path} cannot be opened`, cause);
  }
}

/** Opens a connection to a SQLite file that is there, for reading alone. */
export function openSqliteReader(path: string): SQLite.Database {
  // A reader of a WAL file waits for nobody but at its very beginning.
  return new SQLite(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
}
