import { realpathSync, statSync } from 'node:fs';
import { DatabaseUnavailableError, DatabaseUnwritableError } from '../../database-error.ts';
import { openSqliteReader } from './connection.ts';

/** Knows whether an open SQLite file can be used. */
export type FileCheck = ReturnType<typeof createFileCheck>;

/**
 * Creates the check of an open SQLite file.
 * @param path the file; a connection to it has read from it, so that its `-wal` and `-shm` exist
 */
export function createFileCheck(path: string) {
  // SQLite resolves symbolic links before it names the other two.
  const target = realpathSync(path);
  const files = [path, `${target}-wal`, `${target}-shm`].map((file) => ({ file, identity: stateOf(file)?.identity }));
  let size = 0;
  let failure: DatabaseUnavailableError | undefined;
  let damage: DatabaseDamagedError | undefined;

  return {
    /**
     * Throws while the path does not lead to the files that are open, and once the file was found cut or damaged: SQLite
     * itself goes on with deleted and renamed files and undamaged pages, and what it writes to them is lost. Throws the
     * same error until the files are back, so that an outage is logged once.
     */
    check: (): void => {
      if (damage) throw damage;
      const states = files.map(({ file }) => stateOf(file));
      const moved = files.find(({ identity }, index) => states[index]?.identity !== identity);
      if (moved) {
        throw (failure ??= new DatabaseUnavailableError(
          `${moved.file} was deleted or replaced while the database is open. Put the same file back or restart the server.`,
        ));
      }
      failure = undefined;
      const before = size;
      size = states[0]?.size ?? 0;
      // `VACUUM` makes the file smaller, too. SQLite takes an empty file for a new database.
      if (size === 0 || (size < before && !isWhole(path))) {
        throw (damage = new DatabaseDamagedError(`${path} was cut to ${size} bytes. Restore a backup.`));
      }
    },
    /** Turns an error of SQLite into an outage, and remembers damage. */
    toOutage: (cause: unknown): unknown => {
      const outage = toOutage(cause);
      if (outage instanceof DatabaseDamagedError) damage ??= outage;
      return outage;
    },
  };
}

/** The device and inode of a file, and its size in bytes; undefined for a file that cannot be found. */
function stateOf(file: string): { identity: string; size: number } | undefined {
  try {
    const { dev, ino, size } = statSync(file, { bigint: true });
    return { identity: `${dev}:${ino}`, size: Number(size) };
  } catch {
    return undefined;
  }
}

/** Whether SQLite finds all pages of a file. */
function isWhole(path: string): boolean {
  const reader = openSqliteReader(path);
  try {
    return reader.pragma('quick_check(1)', { simple: true }) === 'ok';
  } catch {
    return false;
  } finally {
    reader.close();
  }
}

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
