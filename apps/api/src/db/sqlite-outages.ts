import type SQLite from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';
import { LRUCache } from 'lru-cache';
import { DatabaseUnavailableError, DatabaseUnwritableError } from './engine.ts';

// A disk that is full or fails, a file that has become read-only.
const UNWRITABLE = /^SQLITE_(FULL|READONLY|IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|DELETE|SHMSIZE|SHMOPEN|BEGIN_ATOMIC))/;
// Another process that does not let go, a file that is away or cannot be read.
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|NOMEM)/;

/** How many statements stay prepared, which takes about as long as to run a small one. */
const MAX_PREPARED = 200;

/** A SQLite connection as Kysely uses it, of which an outage is told as one. */
export function reportingOutages(database: SQLite.Database): SqliteDatabase {
  const prepared = new LRUCache<string, SQLite.Statement>({ max: MAX_PREPARED });

  function prepare(text: string): SQLite.Statement {
    const statement = prepared.get(text) ?? report(() => database.prepare(text));
    prepared.set(text, statement);
    return statement;
  }

  return {
    close: () => void database.close(),
    prepare(text) {
      const statement = prepare(text);
      return {
        reader: statement.reader,
        all: (parameters) => report(() => statement.all(...parameters)),
        run: (parameters) => report(() => statement.run(...parameters)),
        // One of its own, since a statement that is being read cannot be used again.
        iterate: (parameters) => database.prepare(text).iterate(...parameters),
      };
    },
  };
}

/** What an error of SQLite is to the caller: an outage, where it says "not now", else itself. */
export function toOutage(cause: unknown): unknown {
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  if (UNWRITABLE.test(code))
    return new DatabaseUnwritableError(`The database cannot be written: ${message}`, { cause });
  if (UNAVAILABLE.test(code)) {
    return new DatabaseUnavailableError(`The database does not answer: ${message}`, { cause });
  }
  return cause;
}

function report<Result>(use: () => Result): Result {
  try {
    return use();
  } catch (cause) {
    throw toOutage(cause);
  }
}
