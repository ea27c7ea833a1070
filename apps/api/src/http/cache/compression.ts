import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { negotiate } from '../plugins/negotiation.ts';

/** An encoding of a response body, as `Content-Encoding` names it. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** The compressed encodings, the best first. */
export const COMPRESSED = ['br', 'gzip'] as const;
const ALL: ReadonlySet<Encoding> = new Set(COMPRESSED);
/** Smaller bodies, in bytes, fit one packet and are sent as they are. */
const MIN_SIZE = 1_024;
/** Fast enough for the first request of a page to wait for it. */
const BROTLI_QUALITY = 6;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
const decompressors = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

/** The best encoding that a client accepts, of all or of those that are available. */
export function preferredEncoding(
  request: IncomingMessage,
  available: Pick<ReadonlySet<Encoding>, 'has'> = ALL,
): Encoding {
  const negotiator = negotiate(request, 'accept-encoding');
  return COMPRESSED.find((name) => available.has(name) && negotiator?.encoding([name]) === name) ?? 'identity';
}

/** Whether a body of this size in bytes gains from compression: text of some length. */
export function isCompressible(size: number, contentType: string): boolean {
  return size >= MIN_SIZE && /^text\/|json|xml|javascript/.test(contentType);
}

/** Compresses a body in the thread pool. */
export function compress(body: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(body);
  return brotliAsync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** Decompresses a body in the thread pool. */
export function decompress(body: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  return decompressors[encoding](body);
}
