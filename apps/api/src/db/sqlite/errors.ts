import { DatabaseUnavailableError, DatabaseUnwritableError } from '../../database-error.ts';

/** The file is damaged: what is read may be wrong, and what is written may be lost. */
export class DatabaseDamagedError extends DatabaseUnavailableError {}

// A full disk, write errors of the disk, a read-only file.
const UNWRITABLE = /^SQLITE_(FULL|READONLY|IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|DELETE|SHMSIZE|SHMOPEN|BEGIN_ATOMIC))/;
// Locks of other processes, a missing or unreadable file, a thread that cannot start for lack of file descriptors.
const UNAVAILABLE = /^(SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|NOMEM)|ERR_WORKER_INIT_FAILED|EMFILE|ENFILE)/;
// A file with overwritten pages, or with an overwritten header.
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;

/** Turns an error of SQLite into an outage where the database cannot be used for now. */
export function toOutage(cause: unknown): unknown {
  if (cause instanceof DatabaseUnavailableError) return cause;
  // The write thread that cannot open the file fails with an error that has SQLite's error as its cause.
  const { code = '', message = '' } = ((cause as Error).cause ?? cause) as { code?: string; message?: string };
  if (UNWRITABLE.test(code)) {
    return new DatabaseUnwritableError(`The database cannot be written: ${message}`, { cause });
  }
  if (UNAVAILABLE.test(code)) {
    return new DatabaseUnavailableError(`The database does not answer: ${message}`, { cause });
  }
  if (DAMAGED.test(code)) return new DatabaseDamagedError(`The database is damaged: ${message}`, { cause });
  return cause;
}
