import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptionsWithHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Metrics } from '../../observability/metrics.ts';
import { QueueFullError } from '../../rate-limit/task-queue.ts';
import { bufferBody } from './buffer-body.ts';
import { cacheKey } from './cache-key.ts';
import { compress, isCompressible, preferredEncoding, type Encoding } from './compression.ts';
import { inTime } from '../../in-time.ts';
import { etagOf } from '../../etag.ts';
import { RegistryError } from '../../registry-error.ts';
import { createTurns } from './in-turn.ts';
import { tryReadVersion } from './read-version.ts';
import { allowsEtag, matchesEtag, toEtagHeader } from './etags.ts';
import { createSharing } from './sharing.ts';

/** `Cache-Control` of responses that shared caches may keep for an hour. */
export const CACHE_FOR_AN_HOUR = 'public, max-age=3600';
/** `Cache-Control` of files whose names change with their content. */
export const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';
/** `Cache-Control` of responses that caches revalidate with each request. */
const REVALIDATE = 'public, max-age=0, must-revalidate';
/** The memory that an entry takes besides its key and its bodies, in bytes, estimated. */
const ENTRY_OVERHEAD = 1_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on routes whose responses are cached. */
    cache?: CachedRoute;
  }
  interface FastifyRequest {
    /** The parsed request of a route whose responses are cached. */
    parsed: ParsedRequest | null;
  }
}

/** A parsed request and its cache key; none if the response is private. */
type ParsedRequest = {
  value: unknown;
  key: string | undefined;
  /** Reads the version once; undefined if it cannot be read. */
  readVersion: () => Promise<string | undefined>;
};

/** The version of the data that a response shows. While it stays the same, the response may be sent again. */
export type ReadVersion = () => string | Promise<string>;

/** A response before it is sent. */
export type ProducedResponse = {
  /** 200 by default. */
  status?: number;
  /** With `content-type`; names in lower case. */
  headers: Record<string, string>;
  /** A stream is buffered for the cache, and sent with backpressure when it is too large for that. */
  body: string | Buffer | AsyncIterable<string>;
  /** The id of the agent that each response is a view of. */
  viewOf?: string | undefined;
  /** Whether the response may be sent to other clients; true by default. */
  isReusable?: boolean;
};

/** How the responses of a GET route are produced and cached. `Value` is what its requests are parsed into. */
export type CachedRoute<Value = unknown> = {
  readVersion: ReadVersion;
  /** Whether responses are rendered, which may take longer than the database: then only `produce` limits its reads. */
  isRendered?: boolean;
  /**
   * Parses a request, once, into the value that its response depends on; by default they all have the same response.
   * Throws for an invalid request, before anything is produced or stored.
   */
  parse?: (request: FastifyRequest) => Value;
  /** Whether the response is for the sender of the request only: it is produced for each request, and never stored. */
  isPrivate?: (request: FastifyRequest) => boolean;
  /** The origin that the body names, for routes whose body names one. */
  originOf?: (request: FastifyRequest) => string;
  /** Produces a response. Throws what the error handler turns into an error response, which is never cached. */
  produce(request: FastifyRequest, value: Value): Promise<ProducedResponse>;
};

/** Options of the response cache. */
export type ResponseCacheOptions = {
  /** The largest size of all entries together, in bytes; 0 keeps none. */
  maxSize: number;
  /** Called for each response that is a view of an agent. */
  onView: (request: FastifyRequest, agentId: string) => void;
  metrics?: Metrics | undefined;
};

/** Caches responses as bytes, with ETags and compressed bodies. */
export type ResponseCache = {
  /** The options of a GET route whose responses are cached. */
  route<Value>(options: CachedRoute<Value>): RouteShorthandOptionsWithHandler;
};

type Entry = {
  version: string;
  status: number;
  headers: Record<string, string>;
  etag: string;
  body: Buffer;
  /** The body in the encodings that were asked for so far. */
  compressed: Map<Encoding, Buffer | Promise<Buffer>>;
  viewOf: string | undefined;
  /** As in its request, so that hits count, too. */
  emptySearches: number;
};

/** A response that is too large to keep; its stream can be sent once. */
type Streamed = { response: ProducedResponse; body: AsyncIterable<string>; owner: FastifyRequest };

/**
 * Registers the response cache. A `preHandler` hook sends cache hits, so hooks that are registered after it, such as
 * rate limits, see misses only. Stale responses are never sent: the version is read for each request. Concurrent misses
 * of a key share one production.
 */
export function registerResponseCache(app: FastifyInstance, options: ResponseCacheOptions): ResponseCache {
  const { maxSize, onView, metrics } = options;
  const inTurn = createTurns();
  const entries = new LRUCache<string, Entry>({ maxSize: Math.max(1, maxSize), sizeCalculation: sizeOf });
  // A quarter, so that no single response evicts all others.
  const maxEntrySize = maxSize / 4;
  const share = createSharing<Entry | Streamed>();

  app.decorateRequest('parsed', null);
  app.addHook('preHandler', async (request, reply) => {
    const route = request.routeOptions.config.cache;
    if (!route) return;
    const value = route.parse?.(request);
    const isPrivate = route.isPrivate?.(request) ?? false;
    const key = isPrivate ? undefined : cacheKey(request, { value, origin: route.originOf?.(request) });
    let version: Promise<string | undefined> | undefined;
    const readVersion = () => (version ??= tryReadVersion(route, request.deadline));
    request.parsed = { value, key, readVersion };
    if (key === undefined) return;
    const entry = entries.get(key);
    if (entry && entry.version === (await readVersion())) return sendEntry(entry, key, request, reply, 'hit');
  });

  return {
    route(route) {
      const cached = route as CachedRoute;
      return {
        config: { cache: cached },
        async handler(request, reply) {
          const { value, key, readVersion } = request.parsed as ParsedRequest;
          if (key !== undefined) return handleMiss(cached, request, reply, { value, key, readVersion });
          const { status = 200, headers, body } = await cached.produce(request, value);
          return reply.code(status).headers(headers).send(body);
        },
      };
    },
  };

  async function handleMiss(
    route: CachedRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    { value, key, readVersion }: ParsedRequest & { key: string },
  ): Promise<FastifyReply> {
    const version = await readVersion();
    let isOwn = false;
    const result = await inTime(start(), route.isRendered ? Infinity : request.deadline);
    if (!('owner' in result)) return sendEntry(result, key, request, reply, 'miss');
    const isOwnStream = result.owner === request;
    const response = isOwnStream ? result.response : await route.produce(request, value);
    const body = isOwnStream ? result.body : response.body;
    reply.code(response.status ?? 200).headers(response.headers);
    // For HEAD, Fastify would read all of a stream to send none of it.
    return reply.send(Readable.from(request.method === 'HEAD' ? [] : body, { objectMode: false }));

    async function start(): Promise<Entry | Streamed> {
      try {
        return await (version === undefined ? produce() : share(key, version, produce));
      } catch (error) {
        // It may have failed for the client that started it only, which has disconnected or has too many others waiting.
        const reasons = [error, (error as Error).cause] as (Error | undefined)[];
        const isOfClient = reasons.some((reason) => reason?.name === 'AbortError' || reason instanceof QueueFullError);
        if (isOwn || !isOfClient) throw error;
        // All that waited share the next production, too.
        return start();
      }
    }

    async function produce(): Promise<Entry | Streamed> {
      isOwn = true;
      const response = await route.produce(request, value);
      const body = await bufferBody(response.body, maxEntrySize);
      if (!Buffer.isBuffer(body)) return { response, body, owner: request };
      const entry = toEntry(response, body, { version: version ?? '', emptySearches: request.emptySearches });
      if (version !== undefined && response.isReusable !== false) entries.set(key, entry);
      return entry;
    }
  }

  async function sendEntry(
    entry: Entry,
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
    source: 'hit' | 'miss',
  ): Promise<FastifyReply> {
    const isSuccess = entry.status === 200;
    if (isSuccess && !allowsEtag(request.headers['if-match'], entry.etag)) {
      throw new RegistryError('changed', 'The response is none of those in If-Match');
    }
    if (entry.viewOf !== undefined) onView(request, entry.viewOf);
    request.emptySearches = entry.emptySearches;
    const vary = [entry.headers.vary, 'Accept-Encoding'].filter(Boolean).join(', ');
    reply.code(entry.status).headers(entry.headers).header('vary', vary);
    const preferred = preferredEncoding(request.raw);
    const encoding = isCompressible(entry.body, entry.headers['content-type'] ?? '') ? preferred : 'identity';
    if (isSuccess) {
      reply.header('etag', toEtagHeader(entry.etag, encoding));
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', REVALIDATE);
    }
    if (isSuccess && matchesEtag(request.headers['if-none-match'], entry.etag)) {
      metrics?.cacheResponses.inc({ result: 'not_modified' });
      reply.removeHeader('content-type');
      return reply.code(304).send();
    }
    metrics?.cacheResponses.inc({ result: source });
    if (encoding === 'identity') return reply.send(await inTurn(entry.body));
    return reply.header('content-encoding', encoding).send(await inTurn(await encode(entry, key, encoding)));
  }

  /** The body of an entry in an encoding, compressed once for all requests. */
  async function encode(entry: Entry, key: string, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
    const known = entry.compressed.get(encoding);
    if (known) return known;
    const compressing = compress(entry.body, encoding);
    entry.compressed.set(encoding, compressing);
    const compressed = await compressing.finally(() => entry.compressed.delete(encoding));
    entry.compressed.set(encoding, compressed);
    // Set again, so that its size is counted again.
    if (entries.peek(key) === entry) entries.set(key, entry);
    return compressed;
  }
}

function toEntry(response: ProducedResponse, body: Buffer, own: Pick<Entry, 'version' | 'emptySearches'>) {
  const { status = 200, headers, viewOf } = response;
  const etag = status === 200 ? etagOf(body) : '';
  return { ...own, status, headers, etag, body, compressed: new Map(), viewOf } satisfies Entry;
}

function sizeOf({ body, compressed }: Entry, key: string): number {
  let size = ENTRY_OVERHEAD + key.length + body.length;
  for (const bytes of compressed.values()) if (Buffer.isBuffer(bytes)) size += bytes.length;
  return size;
}
