import { DatabaseUnavailableError, DatabaseUnwritableError } from '../engine.ts';

// A disk that is full or fails, a file that has become read-only.
const UNWRITABLE = /^SQLITE_(FULL|READONLY|IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|DELETE|SHMSIZE|SHMOPEN|BEGIN_ATOMIC))/;
// Another process that does not let go, a file that is away or cannot be read.
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|NOMEM)/;

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
