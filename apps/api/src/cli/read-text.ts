import { createReadStream } from 'node:fs';
import { CommandError } from './command.ts';

/**
 * Reads the bytes of a file.
 * @param onBytes called with the number of bytes of each chunk
 */
export async function* readBytes(
  path: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/**
 * Reads the text of a file.
 * @param onBytes called with the number of bytes of each chunk
 * @throws {CommandError} when the file is not UTF-8.
 */
export async function* readText(
  path: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new CommandError(`${path} is not UTF-8.`, { cause });
    }
  };
  for await (const chunk of readBytes(path, onBytes)) yield decode(chunk);
  yield decode();
}
