import { createWriteStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './command.ts';

type AtomicFileOptions = {
  /** Whether an existing file may be replaced. */
  overwrite?: boolean | undefined;
  /** Transforms the content, such as a compression. */
  through?: Transform;
  /** Checks the written file, under a temporary path, before it gets its name. */
  verify?: (path: string) => Promise<void>;
};

/** @throws {CommandError} when the file exists and must not be replaced. */
export async function assertFree(
  path: string,
  { overwrite = false }: Pick<AtomicFileOptions, 'overwrite'>,
): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists && !overwrite) throw new CommandError(`The file ${path} exists. Replace it with --overwrite.`);
}

/** Writes a file with mode 0600, and its folder. The file gets its name once it is complete and synced to disk. */
export async function writeFileAtomically(
  path: string,
  content: AsyncIterable<string>,
  { overwrite, through, verify }: AtomicFileOptions = {},
): Promise<void> {
  await assertFree(path, { overwrite });
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true });
  await rm(partial, { force: true });
  try {
    // "wx" follows no symbolic link that someone else puts there.
    const file = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true });
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
