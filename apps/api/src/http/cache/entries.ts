import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { etagOf } from '../../etag.ts';
import { OverloadError, RegistryError } from '../../registry-error.ts';
import { negotiate } from '../plugins/headers.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

const COMPRESSED = ['br', 'gzip'] as const;
const ALL: ReadonlySet<Encoding> = new Set(COMPRESSED);
/** Smaller bodies, in bytes, fit one packet and are sent as they are. */
const MIN_SIZE = 1_024;
/** Fast enough for the first request of a page to wait for it. */
const BROTLI_QUALITY = 6;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
const decompressors = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

/** The memory that an entry takes besides its key and its bodies, in bytes, estimated. */
const ENTRY_OVERHEAD = 1_000;

export type ProducedResponse = {
  status?: number;
  /** With `content-type`; names in lower case. */
  headers: Record<string, string>;
  /** A stream is buffered for the cache; one that is too large for that is begun again and sent with backpressure. */
  body: string | Buffer | (() => AsyncIterable<string>);
  viewOf?: string | undefined;
  /** The agents that it shows besides those of its request, each with a version that is not newer than what is shown. */
  others?: readonly { id: string; version: string }[];
  /** Whether the response may be sent to other clients; true by default. */
  isReusable?: boolean;
};

/** `Cache-Control` of responses that browsers revalidate with each request, and shared caches as the operator allows. */
export const REVALIDATE = 'public, max-age=0, must-revalidate';

export type Entry = {
  key: string;
  /** The version of its data, those of the other agents included. */
  version: string;
  others: readonly string[];
  status: number;
  headers: Record<string, string>;
  /** Without its encoding; empty for an error. */
  etag: string;
  /** Of the body as it was produced, in bytes. */
  size: number;
  /** The body in at least one encoding: a compressed one replaces the original until a client asks for that. */
  bodies: Map<Encoding, Buffer | Promise<Buffer>>;
  viewOf: string | undefined;
};

export type Entries = ReturnType<typeof createEntries>;

/** @param maxSize of all entries together, in bytes; 0 keeps none */
export function createEntries(maxSize: number) {
  const entries = new LRUCache<string, Entry>({ maxSize: Math.max(1, maxSize), sizeCalculation: sizeOf });
  const keep = (entry: Entry) => void entries.set(entry.key, entry);
  return {
    get: (key: string) => entries.get(key),
    keep,
    /** Converts the body of an entry, kept or not, to an encoding; once for all requests. */
    async convert(entry: Entry, encoding: Encoding): Promise<Buffer> {
      const { bodies } = entry;
      const converting = convert(entry, encoding);
      bodies.set(encoding, converting);
      const body = await converting.finally(() => bodies.delete(encoding));
      if (encoding !== 'identity') bodies.delete('identity');
      bodies.set(encoding, body);
      // Removed first: the size of the same value would not be counted again.
      if (entries.peek(entry.key) === entry && entries.delete(entry.key)) keep(entry);
      return body;
    },
  };
}

export function toEntry(
  { status = 200, headers, viewOf, others = [] }: ProducedResponse,
  body: Buffer,
  own: Pick<Entry, 'key' | 'version'>,
): Entry {
  const etag = status === 200 ? etagOf(body) : '';
  const version = [own.version, ...others.map((other) => other.version)].join(' ');
  const ids = others.map(({ id }) => id);
  const bodies = new Map([['identity' as const, body]]);
  const ready = toReadyHeaders(headers, status === 200);
  return { ...own, version, others: ids, status, headers: ready, etag, size: body.length, bodies, viewOf };
}

function toReadyHeaders(headers: Record<string, string>, isSuccess: boolean): Record<string, string> {
  const isPage = headers['content-type']?.startsWith('text/html');
  // Asks proxies not to change a page, which the browser would then render anew.
  const control = [headers['cache-control'] ?? (isSuccess && REVALIDATE), isPage && 'no-transform'].filter(Boolean);
  const vary = [headers.vary, 'Accept-Encoding'].filter(Boolean).join(', ');
  return { ...headers, vary, ...(control.length > 0 && { 'cache-control': control.join(', ') }) };
}

async function convert({ bodies }: Entry, encoding: Encoding): Promise<Buffer> {
  const original = await (bodies.get('identity') ?? restore(bodies));
  return encoding === 'identity' ? original : compress(original, encoding);
}

/** Decompresses the body of which the original is not kept. */
async function restore(bodies: Entry['bodies']): Promise<Buffer> {
  const name = COMPRESSED.find((encoding) => Buffer.isBuffer(bodies.get(encoding)));
  if (!name) throw new Error('An entry has no body.');
  return decompressors[name](bodies.get(name) as Buffer);
}

function sizeOf({ key, bodies }: Entry): number {
  let size = ENTRY_OVERHEAD + key.length;
  for (const bytes of bodies.values()) if (Buffer.isBuffer(bytes)) size += bytes.length;
  return size;
}

/** The compressed encodings that the latest values of `Accept-Encoding` allow; most clients send one of a few. */
const accepted = new LRUCache<string, readonly Encoding[]>({
  max: 100,
  memoMethod: (text) => {
    const negotiator = negotiate({ headers: { 'accept-encoding': text } }, 'accept-encoding');
    return COMPRESSED.filter((name) => negotiator?.encoding([name]) === name);
  },
});

export function preferredEncoding(
  { headers: { 'accept-encoding': text = '' } }: Pick<IncomingMessage, 'headers'>,
  available: Pick<ReadonlySet<Encoding>, 'has'> = ALL,
): Encoding {
  return accepted.memo(text).find((name) => available.has(name)) ?? 'identity';
}

/** Whether a body of this size in bytes gains from compression: text of some length. */
export function isCompressible(size: number, contentType: string): boolean {
  return size >= MIN_SIZE && /^text\/|json|xml|yaml|javascript|\+md/.test(contentType);
}

function compress(body: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(body);
  return brotliAsync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** Concurrent misses share one production; if it fails because of the client that started it, the others share the next. */
export function createSharing<Result>() {
  const productions = new Map<string, { version: string; result: Promise<Result> }>();

  return async function share(key: string, version: string, produce: () => Promise<Result>): Promise<Result> {
    const current = productions.get(key);
    if (current?.version === version) {
      try {
        return await current.result;
      } catch (error) {
        if (!isOfClient(error)) throw error;
        return share(key, version, produce);
      }
    }
    const started = { version, result: produce() };
    productions.set(key, started);
    const end = () => {
      if (productions.get(key) === started) productions.delete(key);
    };
    started.result.then(end, end);
    return started.result;
  };
}

/** Whether a production failed for its client only, which has disconnected or has too much waiting. */
function isOfClient(error: unknown): boolean {
  const reasons = [error, (error as Error).cause] as (Error | undefined)[];
  return reasons.some(
    (reason) =>
      reason?.name === 'AbortError' ||
      reason instanceof OverloadError ||
      (reason instanceof RegistryError && reason.kind === 'too-many'),
  );
}
