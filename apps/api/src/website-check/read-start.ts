import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** After how many bytes of a body the event loop does other work. */
const TURN_SIZE = 65_536;
const CR = 13;

const decoders: Record<string, () => Duplex> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** What a page that is not UTF-8 names in its head: of single bytes, so that a visitor's text hides no mark after it. */
const META_CHARSET = /charset=["']?(iso-8859-\d{1,2}|windows-125\d|koi8-[ru])\b/i;

/** Reads the start of a body; also one that is compressed or in another charset, though nobody asked for that. */
export async function readStart(
  response: IncomingMessage,
  maxSize: number,
  isComplete: ((line: string) => boolean) | undefined,
): Promise<string> {
  if (maxSize === 0) {
    response.destroy();
    return '';
  }
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = response.headers;
  const decoder = decoders[encoding.trim().toLowerCase()]?.();
  const body = decoder ? pipeline(response, decoder, () => {}) : response;
  const chunks: Buffer[] = [];
  const hasEnd = isComplete && withLines(isComplete);
  let size = 0;
  let sizeOfTurn = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (hasEnd?.(chunk) || size >= maxSize) break;
    sizeOfTurn += chunk.length;
    if (sizeOfTurn < TURN_SIZE) continue;
    sizeOfTurn = 0;
    await setImmediate();
  }
  const bytes = Buffer.concat(chunks).subarray(0, maxSize);
  const inHead = isUtf8(bytes) ? null : META_CHARSET.exec(bytes.toString('latin1', 0, 1_024));
  const [, named] = /charset\s*=\s*"?([\w:-]+)/i.exec(type) ?? inHead ?? [];
  return decodeText(bytes, named);
}

/** Gives the lines of chunks to a function, each byte once, until it returns true. They end with CR, LF or both. */
function withLines(isComplete: (line: string) => boolean): (chunk: Buffer) => boolean {
  let started: Buffer[] = [];
  return (chunk) => {
    // A CR at the end may be the first half of a line end.
    const hasEnd = started.at(-1)?.at(-1) === CR || chunk.includes('\n') || chunk.lastIndexOf('\r', -2) >= 0;
    started.push(chunk);
    if (!hasEnd) return false;
    const bytes = Buffer.concat(started);
    const end = 1 + Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r', -2));
    started = [bytes.subarray(end)];
    const lines = bytes.toString('utf8', 0, end).split(/\r\n|\r|\n/);
    return lines.slice(0, -1).some(isComplete);
  };
}

/** Decodes a text by its byte order mark, or else its charset; by default it is UTF-8. */
function decodeText(bytes: Buffer, charset = 'utf-8'): string {
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff && 'utf-16be';
  try {
    return new TextDecoder(marked || charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
