import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptionsWithHandler } from 'fastify';
import { etagOf } from '../../etag.ts';
import { inTime } from '../../database-error.ts';
import { OverloadError } from '../../registry-error.ts';
import type { ReadKind } from '../../rate-limit/check-usages.ts';
import { readIfNoneMatch, createSendEntry, type SendOptions } from './send-entry.ts';
import { createEntries, toEntry, type Entry, type ProducedResponse, createSharing } from './entries.ts';
import { createSendStream, describeStream, type StreamedResponse } from './send-stream.ts';

export const NO_STORE = 'no-store';
export const CACHE_FOR_AN_HOUR = 'public, max-age=3600';
export const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';

declare module 'fastify' {
  interface FastifyContextConfig {
    cache?: CachedRoute;
  }
  interface FastifyRequest {
    parsed: ParsedRequest | null;
    /** Whether a search for the response may find more later, although no agent has changed. */
    isProvisional: boolean;
  }
}

type ParsedRequest = {
  value: unknown;
  key: string | undefined;
  /** Reads the version, with those of other agents if an entry shows some; undefined if it cannot be read. */
  readVersion: (others?: readonly string[]) => string | undefined | Promise<string | undefined>;
};

/** The version of the data that a response shows. While it stays the same, the response may be sent again. */
export type ReadVersion = () => string | Promise<string>;

/** How the responses of a GET route are produced and cached. `Value` is what its requests are parsed into. */
export type CachedRoute<Value = unknown> = {
  /** Reads the version of a response to a request, with those of the other agents that it shows after a blank each. */
  readVersion: (value: Value, others: readonly string[]) => string | Promise<string>;
  readKind?: ReadKind;
  /** Whether responses are rendered, which may take longer than the database: then only `produce` limits its reads. */
  isRendered?: boolean;
  /** Parses a request, once, into the value that its response depends on; throws before anything is produced or stored. */
  parse?: (request: FastifyRequest) => Value;
  /** Whether the response is for the sender of the request only: it is produced for each request, and never stored. */
  isPrivate?: (request: FastifyRequest) => boolean;
  originOf?: (request: FastifyRequest) => string;
  /** Produces a response. Throws what the error handler turns into an error response, which is never cached. */
  produce(request: FastifyRequest, value: Value): Promise<ProducedResponse>;
};

export type ResponseCache = ReturnType<typeof registerResponseCache>;

type Streamed = { response: StreamedResponse; owner: FastifyRequest };

/** Registers the cache: a `preHandler` hook sends hits, so that later hooks, such as rate limits, see misses only. */
export function registerResponseCache(
  app: FastifyInstance,
  { maxSize, ...options }: SendOptions & { maxSize: number },
) {
  const entries = createEntries(maxSize);
  // A quarter, so that no single response evicts all others.
  const maxEntrySize = maxSize / 4;
  const share = createSharing<Entry | Streamed>();
  const sendEntry = createSendEntry(entries, options);
  const sendStream = createSendStream();

  app.decorateRequest('parsed', null);
  app.decorateRequest('isProvisional', false);
  app.addHook('preHandler', (request, reply, done) => {
    const route = request.routeOptions.config.cache;
    if (!route) return done();
    request.parsed = parseRequest(route, request);
    const { key, readVersion } = request.parsed;
    const entry = key === undefined ? undefined : entries.get(key);
    if (!entry) return done();
    const sendIfSame = (version?: string) => (version === entry.version ? sendEntry(reply, entry, 'hit') : undefined);
    const version = readVersion(entry.others);
    // A promise, for which Fastify waits, only where the version or the body is not at hand.
    if (typeof version === 'object') return version.then(sendIfSame);
    const sent = sendIfSame(version);
    return sent === undefined ? done() : sent instanceof Promise ? sent : undefined;
  });

  return {
    route<Value>(route: CachedRoute<Value>): RouteShorthandOptionsWithHandler {
      const cached = route as CachedRoute;
      return {
        config: { cache: cached, readKind: route.readKind },
        async handler(request, reply) {
          const { value, key, readVersion } = request.parsed as ParsedRequest;
          if (key !== undefined) return handleMiss(cached, reply, { value, key, readVersion });
          const { status = 200, headers, body } = await cached.produce(request, value);
          reply.code(status).headers({ ...headers, 'cache-control': `private, ${NO_STORE}`, vary: 'Authorization' });
          return reply.send(body);
        },
      };
    },
  };

  async function handleMiss(
    route: CachedRoute,
    reply: FastifyReply,
    { value, key, readVersion }: ParsedRequest & { key: string },
  ): Promise<FastifyReply> {
    const { request } = reply;
    const version = await readVersion();
    const etag = version === undefined ? undefined : etagOf(`${version} ${key}`);
    // Named by a client only if it was sent with a stream: another response has the ETag of its bytes.
    if (etag !== undefined && readIfNoneMatch(request.headers['if-none-match'])?.includes(etag)) {
      return describeStream(reply, etag).code(304).send();
    }
    const shared = version === undefined ? produce() : share(key, version, produce);
    const result = await inTime(shared, route.isRendered ? Infinity : request.deadline);
    if (!('owner' in result)) return sendEntry(reply, result, 'miss');
    const { response, owner } = result;
    return sendStream(reply, owner === request ? response : await produceResponse(route, request, value), etag);

    async function produce(): Promise<Entry | Streamed> {
      const response = await produceResponse(route, request, value);
      const body = await readBody(reply, response);
      if (!body) return { response: response as StreamedResponse, owner: request };
      const entry = toEntry(response, body, { key, version: version ?? '' });
      if (version !== undefined && response.isReusable !== false) entries.keep(entry);
      return entry;
    }
  }

  /** Reads a body that waits for its client until it is sent; undefined for a stream that is too large or too slow. */
  async function readBody(reply: FastifyReply, { body }: ProducedResponse): Promise<Buffer | undefined> {
    if (typeof body !== 'function') {
      if (!reply.holdBytes(Buffer.byteLength(body))) throw new OverloadError('Too many bytes wait for slow clients');
      return Buffer.from(body);
    }
    if (maxEntrySize === 0) return undefined;
    // Half of the time, so that the stream begins in time.
    const latest = (performance.now() + reply.request.deadline) / 2;
    const hold = (bytes: number) => bytes <= maxEntrySize && performance.now() < latest && reply.holdBytes(bytes);
    const buffer = await bufferBody(body(), hold);
    if (!buffer) reply.holdBytes(0);
    return buffer;
  }
}

/** The options of a GET route whose response stays the same while the process runs. */
export function constantRoute(
  cache: ResponseCache,
  type: string,
  write: (request: FastifyRequest) => string | Promise<string>,
  originOf?: (request: FastifyRequest) => string,
): RouteShorthandOptionsWithHandler {
  return cache.route({
    readVersion: () => 'constant',
    ...(originOf && { originOf }),
    produce: async (request) => ({
      headers: { 'content-type': type, 'cache-control': CACHE_FOR_AN_HOUR },
      body: await write(request),
    }),
  });
}

async function produceResponse(route: CachedRoute, request: FastifyRequest, value: unknown): Promise<ProducedResponse> {
  const produced = await route.produce(request, value);
  // A shared cache must not answer an owner with what everybody reads.
  const response = route.isPrivate
    ? { ...produced, headers: { ...produced.headers, vary: 'Authorization' } }
    : produced;
  if (!request.isProvisional) return response;
  return { ...response, headers: { ...response.headers, 'cache-control': NO_STORE }, isReusable: false };
}

function parseRequest(route: CachedRoute, request: FastifyRequest): ParsedRequest {
  const value = route.parse?.(request);
  const isPrivate = route.isPrivate?.(request) ?? false;
  // Of what was parsed: what is left out, such as unknown parameters, makes no entry of its own. A value's properties
  // are always in the same order.
  const key = isPrivate ? undefined : JSON.stringify([request.routeOptions.url, value, route.originOf?.(request)]);
  let version: ReturnType<typeof tryRead>;
  const read = (others: readonly string[]) => tryRead(() => route.readVersion(value, others), request.deadline);
  return { value, key, readVersion: (others = []) => (others.length > 0 ? read(others) : (version ??= read([]))) };
}

/** Undefined when it cannot be read in half of the time: the response then shows the reason, or needs no database. */
function tryRead(readVersion: ReadVersion, deadline: number): string | undefined | Promise<string | undefined> {
  try {
    const version = readVersion();
    if (typeof version === 'string') return version;
    return inTime(version, (performance.now() + deadline) / 2).catch(() => undefined);
  } catch {
    return undefined;
  }
}

/** Reads a stream to its end, unless `hold`, which is told of the bytes so far, says that they are too many. */
async function bufferBody(
  stream: AsyncIterable<string>,
  hold: (bytes: number) => boolean,
): Promise<Buffer | undefined> {
  const parts: string[] = [];
  let size = 0;
  for await (const part of stream) {
    size += Buffer.byteLength(part);
    if (!hold(size)) return undefined;
    parts.push(part);
  }
  return Buffer.from(parts.join(''));
}
