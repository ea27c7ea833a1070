import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

type AtomicFileOptions = {
  /** Transforms the content, such as a compression. */
  through?: Transform;
  /** Checks the written file, under a temporary path, before it gets its name. */
  verify?: (path: string) => Promise<void>;
  /** Who may read it; only its owner by default. */
  mode?: number;
};

/** Writes or replaces a file, which gets its name once it is complete and synced to disk. */
export async function writeFileAtomically(
  path: string,
  content: AsyncIterable<string>,
  { through, verify, mode = 0o600 }: AtomicFileOptions = {},
): Promise<void> {
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true });
  await rm(partial, { force: true });
  try {
    // "wx" follows no symbolic link that someone else puts there.
    const file = createWriteStream(partial, { mode, flags: 'wx', flush: true });
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
