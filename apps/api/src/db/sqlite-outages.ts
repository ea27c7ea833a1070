import type SQLite from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';
import { DatabaseUnavailableError, DatabaseUnwritableError } from './engine.ts';

// A disk that is full or fails, a file that has become read-only.
const UNWRITABLE = /^SQLITE_(FULL|READONLY|IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|DELETE|SHMSIZE|SHMOPEN|BEGIN_ATOMIC))/;
// Another process that does not let go, a file that is away or cannot be read.
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|NOMEM)/;

/** A SQLite connection as Kysely uses it, of which an outage is told as one. */
export function reportingOutages(database: SQLite.Database): SqliteDatabase {
  return {
    close: () => void database.close(),
    prepare(text) {
      const statement = report(() => database.prepare(text));
      return {
        reader: statement.reader,
        all: (parameters) => report(() => statement.all(...parameters)),
        run: (parameters) => report(() => statement.run(...parameters)),
        iterate: (parameters) => statement.iterate(...parameters),
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
