import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { etagOf } from '../../etag.ts';
import { OverloadError, RegistryError } from '../../registry-error.ts';
import { negotiate } from '../plugins/negotiation.ts';

/** An encoding of a response body, as `Content-Encoding` names it. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** The compressed encodings, the best first. */
const COMPRESSED = ['br', 'gzip'] as const;
const ALL: ReadonlySet<Encoding> = new Set(COMPRESSED);
/** Smaller bodies, in bytes, fit one packet and are sent as they are. */
const MIN_SIZE = 1_024;
/** Fast enough for the first request of a page to wait for it. */
const BROTLI_QUALITY = 6;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** The memory that an entry takes besides its key and its bodies, in bytes, estimated. */
const ENTRY_OVERHEAD = 1_000;

/** A response before it is sent. */
export type ProducedResponse = {
  /** 200 by default. */
  status?: number;
  /** With `content-type`; names in lower case. */
  headers: Record<string, string>;
  /** A stream is buffered for the cache; one that is too large for that is begun again and sent with backpressure. */
  body: string | Buffer | (() => AsyncIterable<string>);
  /** The id of the agent that each response is a view of. */
  viewOf?: string | undefined;
  /** The agents that it shows besides those of its request, each with a version that is not newer than what is shown. */
  others?: readonly { id: string; version: string }[];
  /** Whether the response may be sent to other clients; true by default. */
  isReusable?: boolean;
};

/** A response as bytes, with what is sent with it. */
export type Entry = {
  key: string;
  /** The version of its data, those of the other agents included. */
  version: string;
  /** The ids of the agents that it shows besides those of its request. */
  others: readonly string[];
  status: number;
  headers: Record<string, string>;
  /** Without its encoding; empty for an error. */
  etag: string;
  body: Buffer;
  /** The body in the encodings that were asked for so far. */
  compressed: Map<Encoding, Buffer | Promise<Buffer>>;
  viewOf: string | undefined;
  /** As in its request, so that hits count, too. */
  emptySearches: number;
};

/** The entries that are kept. */
export type Entries = ReturnType<typeof createEntries>;

/**
 * Creates the store of entries.
 * @param maxSize the largest size of all entries together, in bytes; 0 keeps none
 */
export function createEntries(maxSize: number) {
  const entries = new LRUCache<string, Entry>({ maxSize: Math.max(1, maxSize), sizeCalculation: sizeOf });
  /** Keeps an entry in place of the earlier one of its key; the least recently used ones make room for it. */
  const keep = (entry: Entry) => void entries.set(entry.key, entry);
  return {
    get: (key: string) => entries.get(key),
    keep,
    /** The body of an entry, kept or not, in an encoding; compressed once for all requests. */
    async encode(entry: Entry, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
      const known = entry.compressed.get(encoding);
      if (known) return known;
      const compressing = compress(entry.body, encoding);
      entry.compressed.set(encoding, compressing);
      const compressed = await compressing.finally(() => entry.compressed.delete(encoding));
      entry.compressed.set(encoding, compressed);
      // Kept again, so that its size is counted again.
      if (entries.peek(entry.key) === entry) keep(entry);
      return compressed;
    },
  };
}

/** Converts a response to an entry. */
export function toEntry(
  { status = 200, headers, viewOf, others = [] }: ProducedResponse,
  body: Buffer,
  own: Pick<Entry, 'key' | 'version' | 'emptySearches'>,
): Entry {
  const etag = status === 200 ? etagOf(body) : '';
  const version = [own.version, ...others.map((other) => other.version)].join(' ');
  const ids = others.map(({ id }) => id);
  return { ...own, version, others: ids, status, headers, etag, body, compressed: new Map(), viewOf };
}

function sizeOf({ key, body, compressed }: Entry): number {
  let size = ENTRY_OVERHEAD + key.length + body.length;
  for (const bytes of compressed.values()) if (Buffer.isBuffer(bytes)) size += bytes.length;
  return size;
}

/** The best encoding that a client accepts, of all or of those that are available. */
export function preferredEncoding(
  request: IncomingMessage,
  available: Pick<ReadonlySet<Encoding>, 'has'> = ALL,
): Encoding {
  const negotiator = negotiate(request, 'accept-encoding');
  return COMPRESSED.find((name) => available.has(name) && negotiator?.encoding([name]) === name) ?? 'identity';
}

/** Whether a body gains from compression: text of some size. */
export function isCompressible(body: Buffer, contentType: string): boolean {
  return body.length >= MIN_SIZE && /^text\/|json|xml|javascript/.test(contentType);
}

function compress(body: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(body);
  return brotliAsync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/**
 * Creates a function with which concurrent misses of a key and version share one production. If it fails because of the
 * client that started it, the others share the next one.
 */
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
