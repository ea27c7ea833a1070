import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** How the bytes of an answer can be coded. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** The same bytes in other codings, where these are fewer. */
export type Compressed = { [encoding in Exclude<Encoding, 'identity'>]?: Buffer };

/** The codings that make bytes fewer, the best first. */
const COMPRESSIONS = ['br', 'gzip'] as const;
/** Below this size, in bytes, an answer fits a packet and is sent as it is. */
export const MIN_SIZE = 1_024;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
// The header comes with every request, and few of them are different.
const known = new LRUCache<string, Encoding>({ max: 200 });

/** The best coding that who sends a request understands. */
export function preferredEncoding(request: IncomingMessage): Encoding {
  const header = request.headers['accept-encoding'];
  if (header === undefined) return 'identity';
  let encoding = known.get(header);
  if (encoding === undefined) {
    const negotiator = new Negotiator(request);
    encoding = COMPRESSIONS.find((name) => negotiator.encoding([name]) === name) ?? 'identity';
    known.set(header, encoding);
  }
  return encoding;
}

/** Compresses in another thread; undefined where that gains nothing. */
export async function compress(body: Buffer, encoding: keyof Compressed): Promise<Buffer | undefined> {
  if (body.length < MIN_SIZE) return undefined;
  const compressed =
    encoding === 'gzip'
      ? await compressGzip(body)
      : await compressBrotli(body, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
        });
  return compressed.length < body.length ? compressed : undefined;
}
