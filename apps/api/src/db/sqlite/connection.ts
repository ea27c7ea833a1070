import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { DatabaseError, DatabaseUnavailableError, DatabaseUnwritableError } from '../../database-error.ts';

/** The largest number of prepared statements that are cached for a connection. */
const MAX_PREPARED = 200;

/** The rows of a statement that returns rows, or the number of rows that it changed. */
export type StatementResult = { rows: unknown[]; changes?: number };

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
    // A registration changes a row or two in each of many b-trees, and each such page is written whole, twice.
    database.pragma('page_size = 2048');
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
const UNAVAILABLE =
  /^(SQLITE_(BUSY|LOCKED|PROTOCOL|PERM|AUTH|IOERR|CANTOPEN|NOMEM)|ERR_WORKER_INIT_FAILED|EMFILE|ENFILE)/;
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
