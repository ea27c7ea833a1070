import { createWriteStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './command.ts';

/** How a file comes to be. */
export type NewFileOptions = {
  /** Whether a file of this name may be replaced. */
  overwrite?: boolean | undefined;
  /** What the content goes through on its way, such as a compression. */
  through?: Transform;
  /** Looks at the file, under the name given, before it takes its own. */
  verify?: (path: string) => Promise<void>;
};

/**
 * Refuses to go on where a file is in the way.
 * @throws {CommandError} when there is one and it may not be replaced.
 */
export async function assertFree(
  path: string,
  { overwrite = false }: Pick<NewFileOptions, 'overwrite'>,
): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere && !overwrite) throw new CommandError(`The file ${path} is there already; --overwrite replaces it.`);
}

/** Writes a file that only its owner can read, and the folder for it: it has its name only once all of it is on the disk. */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<string>,
  { overwrite, through, verify }: NewFileOptions = {},
): Promise<void> {
  await assertFree(path, { overwrite });
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true });
  try {
    const file = createWriteStream(partial, { mode: 0o600, flush: true });
    const source = Readable.from(content, { objectMode: false });
    await (through ? pipeline(source, through, file) : pipeline(source, file));
    await verify?.(partial);
    await rename(partial, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    await rm(partial, { force: true });
    throw cause;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
