import { realpathSync, statSync } from 'node:fs';
import { DatabaseUnavailableError } from '../engine.ts';
import { DatabaseDamagedError, toOutage } from './errors.ts';

/** Knows whether an open SQLite file can be used. */
export type FileCheck = {
  /**
   * Throws while the path does not lead to the files that are open, and once the file was found damaged: SQLite itself
   * goes on with deleted and renamed files and undamaged pages, and what it writes to them is lost. Throws the same error
   * until the files are back, so that an outage is logged once.
   */
  check: () => void;
  /** Turns an error of SQLite into an outage, and remembers damage. */
  toOutage: (cause: unknown) => unknown;
};

/**
 * Creates the check of an open SQLite file.
 * @param path the file; a connection to it has read from it, so that its `-wal` and `-shm` exist
 */
export function createFileCheck(path: string): FileCheck {
  // SQLite resolves symbolic links before it names the other two.
  const target = realpathSync(path);
  const files = [path, `${target}-wal`, `${target}-shm`].map((file) => ({ file, identity: identify(file) }));
  let failure: DatabaseUnavailableError | undefined;
  let damage: DatabaseDamagedError | undefined;

  return {
    check() {
      if (damage) throw damage;
      const moved = files.find(({ file, identity }) => identify(file) !== identity);
      if (!moved) {
        failure = undefined;
        return;
      }
      throw (failure ??= new DatabaseUnavailableError(
        `${moved.file} was deleted or replaced while the database is open. Put the same file back or restart the server.`,
      ));
    },
    toOutage(cause) {
      const outage = toOutage(cause);
      if (outage instanceof DatabaseDamagedError) damage ??= outage;
      return outage;
    },
  };
}

/** The device and inode of a file; undefined for a file that cannot be found. */
function identify(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
