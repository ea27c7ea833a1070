import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  onSendHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import { answerFirst, isPlainRead, type FirstAnswersOptions } from './answer-first.ts';
import { routeOf } from '../../observability/on-response.ts';
import { preferredEncoding, type Compressed } from './compression.ts';
import { createEtags, findEtag } from './etags.ts';
import { oncePerBatch } from './once-per-batch.ts';
import { bufferPayload } from './buffer-payload.ts';
import { bytesOf, createReadyEntries, type ReadyEntry, type ReadyHead } from './cache-entries.ts';
import { REQUEST_ID_HEADER } from '../plugins/request-id.ts';
import { withVersion, type ReadVersion, type Version } from './version.ts';

/** What answers may take unless another size is set, in bytes. */
export const DEFAULT_CACHE_SIZE = 64 * 2 ** 20;

/** Any cache may keep an answer for an hour. */
export const FOR_AN_HOUR = 'public, max-age=3600';
/** Any cache may keep an answer, and asks each time whether it still holds. */
const REVALIDATE = 'public, max-age=0, must-revalidate';
// What belongs to one request, and not to all answers to an address.
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'date',
  'ratelimit',
  'ratelimit-policy',
  REQUEST_ID_HEADER,
]);
// What a 304 leaves out.
const BODY_HEADERS = new Set(['content-type', 'content-encoding']);

/** What ready answers work with. */
export type ReadyAnswersOptions = FirstAnswersOptions & {
  /** Most memory for them, in bytes; 0 for none. */
  maxSize: number;
  /** What build of the software answers, with what settings: another may answer otherwise. */
  build: string;
  /** When that changed of which the answers tell. */
  changedAt(): Promise<Date>;
  /** Charges a read to the budget of its client, if there is one; rejects when nothing is left. */
  checkRateLimit(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined;
  /** What of a request besides its address makes another answer. */
  variantOf(request: IncomingMessage): string;
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
  /** Says that this answer is not to be kept after all. */
  leave: () => void;
};

/** What makes the answers of a route ready ones. */
export type ReadyRoute = { preHandler: preHandlerHookHandler; onSend: onSendHookHandler };

/** Answers that are kept as bytes and sent again for as long as they hold. */
export type ReadyAnswers = {
  /** Makes a GET route's answers ready ones. */
  route(readVersion: ReadVersion): ReadyRoute;
  /** Makes ready ones of answers that are the same for as long as the process runs; to read them is charged to nobody. */
  files(): ReadyRoute;
  /** The answer to a request that is being made, unless it is not to be kept. */
  making(request: FastifyRequest): Making | undefined;
};

type Build = Making & {
  key: string;
  version: Version;
  response: ServerResponse;
  /** Resolves when it is over; there once somebody waits for that. */
  over: Promise<void> | undefined;
  /** Whether it is over since there is an answer, and not since who asked for it has gone. */
  isAnswered: boolean;
};

/** What is known of a route. */
type Route = {
  readVersion: ReadVersion;
  isFree: boolean;
  /** The headers of its last answer, which most of the next have too. */
  head: ReadyHead | undefined;
};

/**
 * Keeps the answers of routes as bytes, with strong ETags from the version that they hold for, and answers from them.
 * An answer to a version that is over is never given: the version is read for each request. Those that wait for the same
 * answer have it made once. Where all is at hand nothing waits, since a promise for each step takes longer than the steps.
 */
export function registerReadyAnswers(app: FastifyInstance, options: ReadyAnswersOptions): ReadyAnswers {
  const entries = createReadyEntries(options.maxSize, (error) => app.log.error(error));
  const etagsOf = createEtags(options.build);
  // A quarter, so that no single answer drives out all others.
  const maxSize = options.maxSize / 4;
  let lastChange: { version: Version; at: string } | undefined;
  const builds = new Map<string, Build>();
  // Routes that go by the same version share its readings.
  const batched = new Map<ReadVersion, ReadVersion>();
  const buildOf = new WeakMap<FastifyRequest, Build>();

  answerFirst(app, { entries, keyOf, options });

  return {
    route: (readVersion) => {
      const readAtOnce = batched.get(readVersion) ?? oncePerBatch(readVersion);
      batched.set(readVersion, readAtOnce);
      return toHooks({ readVersion: readAtOnce, isFree: false, head: undefined });
    },
    files: () => toHooks({ readVersion: () => 'files', isFree: true, head: undefined }),
    making: (request) => buildOf.get(request),
  };

  function toHooks(route: Route): ReadyRoute {
    return {
      preHandler: (request, reply, done) => {
        const charged = route.isFree ? undefined : options.checkRateLimit(request, reply);
        if (charged) charged.then(() => answerOrBuild(route, request, reply, done), done);
        else answerOrBuild(route, request, reply, done);
      },
      onSend: (request, reply, payload, done) => {
        const build = buildOf.get(request);
        if (build) keep(route, build, { request, reply, payload }, done);
        else {
          // Fastify would read all of a stream for an answer without a body.
          if (request.raw.method === 'HEAD' && payload instanceof Readable) payload.destroy();
          done(null, payload);
        }
      },
    };
  }

  async function readChangedAt(version: Version): Promise<string> {
    if (lastChange?.version !== version) lastChange = { version, at: (await options.changedAt()).toUTCString() };
    return lastChange.at;
  }

  function keyOf(request: IncomingMessage): string {
    return request.url + options.variantOf(request);
  }

  function answerOrBuild(
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
    waitedFor?: Build,
  ): void {
    // Of all answers only files, which are free, are sent in parts.
    const isPart = route.isFree && request.headers.range !== undefined;
    if (isPart || !isPlainRead(request.raw)) return done();
    withVersion(route.readVersion, (version) => {
      if (version === undefined) return done();
      const key = keyOf(request.raw);
      const entry = entries.get(key);
      if (entry?.version === version) return sendKept(entry, request, reply);
      const match = request.headers['if-none-match'];
      const unchanged = match === undefined || route.isFree ? undefined : findEtag(match, etagsOf(version));
      if (unchanged !== undefined) {
        options.metrics?.readyAnswers.inc({ result: 'unchanged' });
        reply.code(304).headers({ etag: unchanged, 'cache-control': REVALIDATE, vary: 'Accept-Encoding' }).send();
        return;
      }
      // Such an answer is not to be kept, so that to wait for another is of no use.
      if (waitedFor?.isAnswered && waitedFor.version === version) return done();
      const other = builds.get(key);
      if (other?.version === version) {
        void whenOver(other).then(() => answerOrBuild(route, request, reply, done, other));
        return;
      }
      const build: Build = {
        key,
        version,
        response: reply.raw,
        over: undefined,
        isAnswered: false,
        previous: entry && { body: bytesOf(entry), note: entry.note },
        note: undefined,
        isView: false,
        maxSize,
        leave: () => {
          buildOf.delete(request);
          if (builds.get(key) === build) builds.delete(key);
        },
      };
      builds.set(key, build);
      buildOf.set(request, build);
      done();
    });
  }

  /** Waits until an answer is made, or whoever asked for it has gone: the others must not wait for ever. */
  function whenOver(build: Build): Promise<void> {
    build.over ??= new Promise((resolve) => {
      const { leave, response } = build;
      build.leave = () => {
        leave();
        resolve();
      };
      if (response.closed) build.leave();
      else response.once('close', build.leave);
    });
    return build.over;
  }

  function sendKept(entry: ReadyEntry, request: FastifyRequest, reply: FastifyReply): void {
    const { all } = entry.head;
    for (let index = 0; index < all.length; index += 2) reply.header(all[index] as string, all[index + 1]);
    options.metrics?.readyAnswers.inc({ result: 'ready' });
    if (entry.isView) options.onView(request.raw);
    reply.send(prepare(entry, request, reply));
  }

  /** Keeps what a route answers; what is too large for that goes through. */
  function keep(
    route: Route,
    build: Build,
    { request, reply, payload }: { request: FastifyRequest; reply: FastifyReply; payload: unknown },
    done: (error: Error | null, payload?: unknown) => void,
  ): void {
    const end = (error: Error | null, sent?: unknown) => {
      build.isAnswered = true;
      build.leave();
      done(error, sent);
    };
    if (reply.statusCode !== 200 || reply.getHeader('cache-control') === 'no-store') return end(null, payload);
    if (build.isView) options.onView(request.raw);
    if (typeof payload === 'string' && lastChange?.version === build.version) keepBody(payload, lastChange.at);
    else {
      Promise.all([bufferPayload(payload, maxSize), readChangedAt(build.version)])
        .then(([body, changedAt]) => keepBody(body, changedAt))
        .catch(end);
    }

    function keepBody(body: unknown, changedAt: string): void {
      if (typeof body !== 'string' && !Buffer.isBuffer(body)) return end(null, body);
      addCachingHeaders(reply, route.isFree ? undefined : changedAt);
      withVersion(route.readVersion, (version) => {
        const holds = version === build.version;
        const isReused = route.isFree || build.over !== undefined || build.note !== undefined;
        options.metrics?.readyAnswers.inc({ result: 'made' });
        if (isReused || entries.isWanted(build.key, body)) {
          const entry = toEntry(route, build, { body, request, reply });
          // One that was over before it was made is of use to who makes the next.
          entries.add(entry);
          end(null, holds ? prepare(entry, request, reply) : body);
        } else {
          if (holds) reply.header('etag', etagsOf(build.version).identity);
          end(null, body);
        }
      });
    }
  }

  /** Makes an entry of an answer with its headers. */
  function toEntry(
    route: Route,
    build: Build,
    { body, request, reply }: { body: Buffer | string; request: FastifyRequest; reply: FastifyReply },
  ): ReadyEntry {
    route.head = toHead(reply, route.head);
    return {
      key: build.key,
      readVersion: route.readVersion,
      version: build.version,
      etags: etagsOf(build.version),
      head: route.head,
      bodies: build.compressed ? { identity: body, ...build.compressed } : { identity: body },
      isDone: build.compressed !== undefined,
      asked: undefined,
      packets: undefined,
      note: build.note,
      isView: build.isView,
      route: routeOf(request),
    };
  }

  /** Gives an answer its ETag and the coding that suits the request, or makes it a 304. */
  function prepare(entry: ReadyEntry, request: FastifyRequest, reply: FastifyReply): Buffer | string | null {
    const match = request.headers['if-none-match'];
    const unchanged = match === undefined ? undefined : findEtag(match, entry.etags);
    if (reply.hasHeader('content-length')) reply.removeHeader('content-length');
    if (unchanged !== undefined) {
      for (const name of BODY_HEADERS) reply.removeHeader(name);
      reply.code(304).header('etag', unchanged);
      return null;
    }
    const encoding = entries.pick(entry, preferredEncoding(request.raw));
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    reply.header('etag', entry.etags[encoding]);
    return entry.bodies[encoding] ?? entry.bodies.identity;
  }
}

/** Says of an answer how long caches may keep it, by what else than its address it differs, and when that of which it tells changed. */
function addCachingHeaders(reply: FastifyReply, changedAt: string | undefined): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', REVALIDATE);
  if (changedAt !== undefined && !reply.hasHeader('last-modified')) reply.header('last-modified', changedAt);
  if (reply.hasHeader('etag')) reply.removeHeader('etag');
}

/** The head of the answers that have the headers of this one: that of the last, if they are the same. */
function toHead(reply: FastifyReply, last: ReadyHead | undefined): ReadyHead {
  const headers = reply.getHeaders();
  let index = 0;
  for (const name in headers) {
    if (OWN_HEADERS.has(name)) continue;
    if (last?.all[index] !== name || last.all[index + 1] !== headers[name]) index = Number.NaN;
    index += 2;
  }
  if (last?.all.length === index) return last;
  const toList = (isLeftOut: (name: string) => boolean) =>
    Object.entries(headers).flatMap(([name, value]) => (isLeftOut(name) ? [] : [name, String(value)]));
  return {
    all: toList((name) => OWN_HEADERS.has(name)),
    unchanged: toList((name) => OWN_HEADERS.has(name) || BODY_HEADERS.has(name)),
  };
}
