import { realpathSync, statSync } from 'node:fs';
import { DatabaseUnavailableError } from '../engine.ts';

/**
 * Creates a function that throws while the path of an open SQLite file does not lead to the files that are open: SQLite
 * itself goes on with deleted and renamed files, and what it writes to them is lost. It throws the same error until
 * the files are back, so that an outage is logged once.
 * @param path the file; a connection to it has read from it, so that its `-wal` and `-shm` exist
 */
export function createFileCheck(path: string): () => void {
  // SQLite resolves symbolic links before it names the other two.
  const target = realpathSync(path);
  const files = [path, `${target}-wal`, `${target}-shm`].map((file) => ({ file, identity: identify(file) }));
  let failure: DatabaseUnavailableError | undefined;

  return () => {
    const moved = files.find(({ file, identity }) => identify(file) !== identity);
    if (!moved) {
      failure = undefined;
      return;
    }
    throw (failure ??= new DatabaseUnavailableError(
      `${moved.file} was deleted or replaced while the database is open. Put the same file back or restart the server.`,
    ));
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
