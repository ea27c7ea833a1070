import type { LeftPart } from '@agent-registry/contracts';
import { createReadStream, existsSync } from 'node:fs';
import { CommandError } from './command.ts';

/** Longest line that is read, in bytes; the JSON of an agent takes a hundredth of it. */
export const MAX_LINE_LENGTH = 1_000_000;

/** An entry of a file: a line of NDJSON, a row of CSV or an element of a JSON array. */
export type Entry = {
  left?: readonly LeftPart[] | undefined;
  /** The number of its first line, or its position in a JSON array, starting at 1. */
  number: number;
  /** The original text; an element of a JSON array is serialized again. */
  text: string;
  fault?: string;
  value?: unknown;
};

export type Line = { number: number; bytes: Buffer };

/**
 * Splits bytes at line feeds only: texts in JSON can contain other line separators. A line that is too long ends it.
 * @param name the name of the file in messages
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Line, void, undefined> {
  let number = 1;
  let rest: Buffer[] = [];
  let length = 0;
  const append = (bytes: Buffer) => {
    rest.push(bytes);
    length += bytes.length;
    if (length > MAX_LINE_LENGTH) throw new CommandError(`Line ${number} of ${name} is too long.`);
  };
  for await (const chunk of chunks) {
    let begin = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
      append(chunk.subarray(begin, end));
      yield { number, bytes: Buffer.concat(rest) };
      number += 1;
      rest = [];
      length = 0;
      begin = end + 1;
    }
    append(chunk.subarray(begin));
  }
  if (length > 0) yield { number, bytes: Buffer.concat(rest) };
}

export async function* readBytes(
  path: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    yield chunk;
  }
}

export async function* readText(
  path: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoderStream('utf-8', { fatal: true });
  try {
    yield* ReadableStream.from(readBytes(path, onBytes)).pipeThrough(decoder);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandError(`${path} is not UTF-8.`, { cause });
  }
}

export function assertFree(path: string, overwrite = false): void {
  if (!overwrite && existsSync(path)) throw new CommandError(`The file ${path} exists. Replace it with --overwrite.`);
}

export async function* onEach<Item>(
  items: AsyncIterable<Item>,
  tell: (item: Item) => void,
): AsyncGenerator<Item, void> {
  for await (const item of items) {
    yield item;
    tell(item);
  }
}
