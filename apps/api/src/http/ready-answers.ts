import { Readable } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import type { Metrics } from '../metrics.ts';
import { preferredEncoding, type Compressed, type Encoding } from './encodings.ts';
import { createEtags, type Version } from './etags.ts';
import { oncePerBatch } from './once-per-batch.ts';
import { createReadyEntries, MAX_TEXT, type ReadyEntry } from './ready-entries.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/** What answers may take unless another size is set, in bytes. */
export const DEFAULT_CACHE_SIZE = 64 * 2 ** 20;

/** Any cache may keep an answer, and asks each time whether it still holds. */
const REVALIDATE = 'public, max-age=0, must-revalidate';
// What belongs to one request, and not to all answers to an address.
const OWN_HEADERS = new Set(['connection', 'content-length', 'date', 'ratelimit', 'ratelimit-policy', 'x-request-id']);
// What a 304 leaves out.
const BODY_HEADERS = new Set(['content-type', 'content-encoding']);

/** Reads the present version, at once where that takes but microseconds. */
export type ReadVersion = () => Version | Promise<Version>;

/** What ready answers work with. */
export type ReadyAnswersOptions = {
  /** Most memory for them, in bytes; 0 for none. */
  maxSize: number;
  /** What build of the software answers, with what settings: another may answer otherwise. */
  build: string;
  /** When that changed of which the answers tell. */
  changedAt(): Promise<Date>;
  /** Charges a read to the budget of its client; rejects when nothing is left. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Whether an answer may be given before anything else looks at the request. */
  isOpen(): boolean;
  /** What of a request besides its address makes another answer. */
  variantOf(request: FastifyRequest): string;
  /** Told of each answer that is a view of an agent. */
  onView(request: FastifyRequest): void;
  metrics?: Metrics | undefined;
};

/** An answer that is being made, to be kept. */
export type Making = {
  /** The answer to the same address that was kept before and holds no longer. */
  previous: { body: Buffer; note: unknown } | undefined;
  /** What who makes the answer wants to know when the next is made. */
  note: unknown;
  /** Whether each such answer is a view of an agent. */
  isView: boolean;
  /** The largest body that is kept, in bytes. */
  maxSize: number;
  /** The body in other codings, where there are such from the start, and then no others. */
  compressed?: Compressed;
  /** Has this answer not be kept after all. */
  leave(): void;
};

/** What makes the answers of a route ready ones. */
export type ReadyRoute = { preHandler: preHandlerAsyncHookHandler; onSend: onSendAsyncHookHandler };

/** Answers that are kept as bytes and sent again for as long as they hold. */
export type ReadyAnswers = {
  /**
   * Makes a GET route's answers ready ones.
   * @param isFree whether reading them is charged to nobody
   */
  route(readVersion: ReadVersion, isFree?: boolean): ReadyRoute;
  /** The answer to a request that is being made, unless it is not to be kept. */
  making(request: FastifyRequest): Making | undefined;
};

type Build = Making & { key: string; version: Version };

/**
 * Keeps the answers of routes as bytes, with strong ETags from the version that they hold for, and answers from them.
 * An answer to a version that is over is never given: the version is read for each request. Those that wait for the same
 * answer have it made once.
 */
export function registerReadyAnswers(app: FastifyInstance, options: ReadyAnswersOptions): ReadyAnswers {
  const entries = createReadyEntries(options.maxSize, (error) => app.log.error(error));
  const etags = createEtags(options.build);
  // A quarter, so that no single answer drives out all others.
  const maxSize = options.maxSize / 4;
  let lastChange: { version: Version; at: Date } | undefined;
  const builds = new Map<string, Promise<void>>();
  // Routes that go by the same version share its readings.
  const batched = new Map<ReadVersion, ReadVersion>();
  const buildOf = new WeakMap<FastifyRequest, Build>();

  app.addHook('onRequest', (request, reply, done) => {
    const entry = isPlainRead(request) && options.isOpen() ? entries.get(keyOf(request)) : undefined;
    if (!entry) return done();
    let version: Version | Promise<Version>;
    try {
      version = entry.readVersion();
    } catch {
      return done();
    }
    if (typeof version !== 'object') answer(version);
    else {
      version.then(answer, () => {
        // Whoever makes the answer finds out for itself, and says so.
        answer(undefined);
      });
    }

    function answer(current: Version | undefined) {
      if (entry?.version === current) sendAtOnce(entry as ReadyEntry, request, reply);
      else done();
    }
  });

  return {
    route: (readVersion, isFree = false) => {
      const readAtOnce = batched.get(readVersion) ?? oncePerBatch(readVersion);
      batched.set(readVersion, readAtOnce);
      return {
        preHandler: async (request, reply) => answerOrBuild(readAtOnce, isFree, request, reply),
        onSend: async (request, reply, payload) => keep(readAtOnce, request, reply, payload),
      };
    },
    making: (request) => buildOf.get(request),
  };

  async function readChangedAt(version: Version): Promise<Date> {
    if (lastChange?.version !== version) lastChange = { version, at: await options.changedAt() };
    return lastChange.at;
  }

  function keyOf(request: FastifyRequest): string {
    return request.raw.url + options.variantOf(request);
  }

  /** Answers without any more ado: no other hook has run, and none will but those of what is done with an answer. */
  function sendAtOnce(entry: ReadyEntry, request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = reply;
    reply.hijack();
    const match = request.raw.headers['if-none-match'];
    const etag = match === undefined ? undefined : etags.find(match, entry.version);
    if (etag !== undefined) {
      const head = (entry.heads.unchanged ??= toHead(entry, BODY_HEADERS));
      raw.writeHead(304, [...head, 'etag', etag, REQUEST_ID_HEADER, request.id]).end();
      options.metrics?.readyAnswers.inc({ result: 'unchanged' });
    } else {
      const encoding = pick(entry, request);
      const body = entry.bodies[encoding] ?? entry.bodies.identity;
      const head = (entry.heads[encoding] ??= [
        ...toHead(entry),
        ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
        'etag',
        etags.make(entry.version, encoding),
        'content-length',
        String(body.length),
      ]);
      raw.writeHead(200, [...head, REQUEST_ID_HEADER, request.id]);
      if (request.raw.method === 'HEAD') raw.end();
      // As a text of single bytes it is sent in one piece with the head, which takes half the time.
      else if (body.length <= MAX_TEXT) raw.end((entry.texts[encoding] ??= body.toString('latin1')), 'latin1');
      else raw.end(body);
      options.metrics?.readyAnswers.inc({ result: 'ready' });
    }
    if (entry.isView) options.onView(request);
  }

  async function answerOrBuild(
    readVersion: ReadVersion,
    isFree: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    if (!isFree) await options.admit(request, reply);
    if (!isPlainRead(request)) return undefined;
    const key = keyOf(request);
    for (;;) {
      let version: Version;
      try {
        version = await readVersion();
      } catch {
        // Whoever makes the answer finds out for itself, and says so.
        return undefined;
      }
      const entry = entries.get(key);
      if (entry?.version === version) return sendKept(entry, request, reply);
      const match = request.headers['if-none-match'];
      const unchanged = match === undefined || isFree ? undefined : etags.find(match, version);
      if (unchanged !== undefined) {
        options.metrics?.readyAnswers.inc({ result: 'unchanged' });
        return reply
          .code(304)
          .headers({ etag: unchanged, 'cache-control': REVALIDATE, vary: 'Accept-Encoding' })
          .send();
      }
      const name = `${version} ${key}`;
      const build = builds.get(name);
      if (build) {
        await build;
        continue;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      builds.set(name, promise);
      const leave = () => {
        buildOf.delete(request);
        builds.delete(name);
        resolve();
      };
      // Whatever becomes of it, the others must not wait for ever.
      reply.raw.once('close', leave);
      const previous = entry && { body: entry.bodies.identity, note: entry.note };
      buildOf.set(request, { key, version, previous, note: undefined, isView: false, maxSize, leave });
      return undefined;
    }
  }

  function sendKept(entry: ReadyEntry, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.headers(entry.headers);
    options.metrics?.readyAnswers.inc({ result: 'ready' });
    if (entry.isView) options.onView(request);
    return reply.send(prepare(entry, request, reply));
  }

  /** Keeps what a route answers; what is too large for that goes through. */
  async function keep(
    readVersion: ReadVersion,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<unknown> {
    const build = buildOf.get(request);
    // Fastify would read all of a stream for an answer without a body.
    if (!build && request.raw.method === 'HEAD' && payload instanceof Readable) payload.destroy();
    if (!build) return payload;
    try {
      if (reply.statusCode !== 200 || reply.getHeader('cache-control') === 'no-store') return payload;
      if (build.isView) options.onView(request);
      const body = await readBody(payload, maxSize);
      if (!Buffer.isBuffer(body)) return body;
      const [changedAt, version] = await Promise.all([readChangedAt(build.version), readVersion()]);
      const vary = reply.getHeader('vary');
      reply.header('Vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
      if (!reply.hasHeader('cache-control')) reply.header('Cache-Control', REVALIDATE);
      if (!reply.hasHeader('last-modified')) reply.header('Last-Modified', changedAt.toUTCString());
      reply.removeHeader('etag');
      const headers = Object.entries(reply.getHeaders()).filter(([name]) => !OWN_HEADERS.has(name));
      const entry: ReadyEntry = {
        readVersion,
        version: build.version,
        headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
        bodies: { identity: body, ...build.compressed },
        isDone: build.compressed !== undefined,
        heads: {},
        texts: {},
        note: build.note,
        isView: build.isView,
      };
      // One that was over before it was made is of use to who makes the next.
      entries.set(build.key, entry);
      options.metrics?.readyAnswers.inc({ result: 'made' });
      const sent = version === build.version ? prepare(entry, request, reply) : body;
      // As a text it is sent in one piece with the head.
      return sent === body && typeof payload === 'string' ? payload : sent;
    } finally {
      build.leave();
    }
  }

  /** Gives an answer its ETag and the coding that suits the request, or makes it a 304. */
  function prepare(entry: ReadyEntry, request: FastifyRequest, reply: FastifyReply): Buffer | null {
    const match = request.headers['if-none-match'];
    const unchanged = match === undefined ? undefined : etags.find(match, entry.version);
    reply.removeHeader('content-length');
    if (unchanged !== undefined) {
      for (const name of BODY_HEADERS) reply.removeHeader(name);
      reply.code(304).header('ETag', unchanged);
      return null;
    }
    const encoding = pick(entry, request);
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    reply.header('ETag', etags.make(entry.version, encoding));
    return entry.bodies[encoding] ?? entry.bodies.identity;
  }

  function pick(entry: ReadyEntry, request: FastifyRequest): Encoding {
    return entries.pick(keyOf(request), entry, preferredEncoding(request.raw));
  }
}

/** A GET or HEAD that wants the whole of an answer, in HTTP as it should be. */
function isPlainRead({ raw }: FastifyRequest): boolean {
  const { method, headers } = raw;
  return (method === 'GET' || method === 'HEAD') && headers.range === undefined && headers.host !== undefined;
}

function toHead({ headers }: ReadyEntry, without?: ReadonlySet<string>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (without?.has(name) ? [] : [name, value]));
}

/** The bytes of a payload; a stream that has more of them than can be kept is given on with all that it has. */
async function readBody(payload: unknown, limit: number): Promise<unknown> {
  if (typeof payload === 'string') return Buffer.from(payload);
  if (!(payload instanceof Readable)) return payload;
  const chunks: Buffer[] = [];
  let size = 0;
  const rest = payload.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer | string>;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    chunks.push(Buffer.from(next.value as Buffer));
    size += chunks.at(-1)?.length ?? 0;
    if (size > limit) return Readable.from(chain(chunks, rest), { objectMode: false });
  }
  return Buffer.concat(chunks);
}

async function* chain(read: Buffer[], rest: AsyncIterator<Buffer | string>): AsyncGenerator<Buffer | string> {
  yield* read;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
