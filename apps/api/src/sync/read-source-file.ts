import { readFile, realpath, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SourceError } from './source-error.ts';

/** The most bytes of a file. */
const MAX_FILE_SIZE = 67_108_864;

/**
 * Reads a file of a source: a regular one below a folder, or one that the operator named.
 * @param address begins with `file:`; a path that is not absolute is one below the folder
 * @throws {SourceError} when it is none of these, is too large or cannot be read.
 */
export async function readSourceFile(
  address: string,
  { folder, files }: { folder: string; files: readonly string[] },
): Promise<string> {
  try {
    const path = await realpath(toPath(address, folder));
    const named = await Promise.all(files.map((file) => realpath(file)));
    const below = relative(await realpath(folder), path);
    if (!named.includes(path) && (below.startsWith('..') || resolve(below) === below)) {
      throw new SourceError('its file is not below the folder of the file of sources; name it with --file');
    }
    const found = await stat(path);
    if (!found.isFile()) throw new SourceError('its file is no regular file');
    if (found.size > MAX_FILE_SIZE) throw new SourceError('its file has more than 64 MiB');
    return decode(await readFile(path));
  } catch (cause) {
    if (cause instanceof SourceError) throw cause;
    throw new SourceError(
      `its file cannot be read: ${(cause as NodeJS.ErrnoException).code ?? 'its address is wrong'}`,
      {
        cause,
      },
    );
  }
}

function toPath(address: string, folder: string): string {
  if (address.startsWith('file://')) return fileURLToPath(address);
  return resolve(folder, decodeURIComponent(address.slice('file:'.length)));
}

/** Decodes a text as spreadsheets write it: UTF-16 with its mark, UTF-8, or else Windows-1252. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
