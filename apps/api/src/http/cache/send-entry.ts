import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RegistryError } from '../../registry-error.ts';
import { isCompressible, preferredEncoding, REVALIDATE, type Entries, type Entry, type Encoding } from './entries.ts';
import { REQUEST_ID_HEADER } from '../plugins/headers.ts';
import type { Metrics } from '../../observability/metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the response names the host of the request, which anybody may invent. */
    namesHost: boolean;
  }
}

/** Headers of a response that are about one client or request. */
const OWN_HEADERS = ['ratelimit', 'ratelimit-policy', REQUEST_ID_HEADER];

/** Bodies of more bytes take turns. The kernel takes megabytes in one call, which blocks the event loop meanwhile. */
const LARGE_BODY = 262_144;

export type SendOptions = {
  onView: (request: FastifyRequest, agentId: string) => void;
  metrics?: Metrics | undefined;
};

/** Decides for all public responses what shared caches may keep, and for how many seconds; 0 for not at all. */
export function registerPublicResponses(app: FastifyInstance, seconds: number): void {
  // `must-revalidate` is for browsers, which would serve old responses, too.
  const shared = `${REVALIDATE}, s-maxage=${seconds}, stale-while-revalidate=${seconds}`;
  app.decorateRequest('namesHost', false);
  app.addHook('onSend', (request, reply, payload, done) => {
    const control = String(reply.getHeader('cache-control'));
    const mayRevalidate = control.startsWith(REVALIDATE);
    if (control.startsWith('public') && request.namesHost) {
      reply.header('cache-control', control.replace('public', 'private'));
    } else if (control.startsWith('public') && !(mayRevalidate && seconds === 0)) {
      if (mayRevalidate) reply.header('cache-control', control.replace(REVALIDATE, shared));
      for (const name of OWN_HEADERS) reply.removeHeader(name);
    }
    done(null, payload);
  });
}

/** Creates the function that sends entries: with an ETag, compressed, or 304 and 412 as the client's own ETags demand. */
export function createSendEntry(entries: Pick<Entries, 'convert'>, { onView, metrics }: SendOptions) {
  const inTurn = createTurns();

  return (reply: FastifyReply, entry: Entry, source: 'hit' | 'miss'): FastifyReply | Promise<FastifyReply> => {
    const { request } = reply;
    const isSuccess = entry.status === 200;
    if (isSuccess && !allowsEtag(request.headers['if-match'], entry.etag)) {
      throw new RegistryError('changed', 'The response is none of those in If-Match');
    }
    if (entry.viewOf !== undefined) onView(request, entry.viewOf);
    reply.code(entry.status).headers(entry.headers);
    const preferred = preferredEncoding(request.raw);
    const encoding = isCompressible(entry.size, entry.headers['content-type'] ?? '') ? preferred : 'identity';
    if (isSuccess) reply.header('etag', toEtagHeader(entry.etag, encoding));
    if (isSuccess && matchesEtag(request.headers['if-none-match'], entry.etag)) {
      metrics?.cacheResponses.inc({ result: 'not_modified' });
      reply.removeHeader('content-type');
      return reply.code(304).send();
    }
    metrics?.cacheResponses.inc({ result: source });
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    const body = entry.bodies.get(encoding) ?? entries.convert(entry, encoding);
    if (Buffer.isBuffer(body) && body.length <= LARGE_BODY) return reply.send(body);
    return inTurn(body).then((ready) => reply.send(ready));
  };
}

/** Creates the turns of large bodies: one in each turn of the event loop, so that others are served between. */
export function createTurns() {
  let last: Promise<void> = Promise.resolve();
  return async (body: Buffer | Promise<Buffer>): Promise<Buffer> => {
    const ready = await body;
    if (ready.length <= LARGE_BODY) return ready;
    last = last.then(() => setImmediate());
    await last;
    return ready;
  };
}

export function toEtagHeader(etag: string, encoding: Encoding = 'identity'): string {
  return encoding === 'identity' ? `"${etag}"` : `"${etag}-${encoding}"`;
}

/** The bodies that an `If-Match` header names, without weak ETags, which never match; undefined for any body. */
export function readIfMatch(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return readEtags(header).flatMap(({ etag, isWeak }) => (isWeak ? [] : [etag]));
}

export function allowsEtag(header: string | undefined, etag: string): boolean {
  return readIfMatch(header)?.includes(etag) ?? true;
}

/** Reads the bodies that an `If-None-Match` header names, in whatever encoding: `*` for any; undefined for no header. */
export function readIfNoneMatch(header: string | undefined): string[] | '*' | undefined {
  if (header === undefined) return undefined;
  return header.trim() === '*' ? '*' : readEtags(header).map(({ etag }) => etag);
}

export function matchesEtag(header: string | undefined, etag: string): boolean {
  const named = readIfNoneMatch(header);
  return named === '*' || (named?.includes(etag) ?? false);
}

/** Reads a list of ETags (RFC 9110, 8.8.3) without their encodings. */
function readEtags(header: string): { etag: string; isWeak: boolean }[] {
  // Of a fixed length, since a hash may itself end like an encoding.
  return [...header.matchAll(/(W\/)?"([\w-]{22})(?:-br|-gzip)?"/g)].map(([, weak, etag = '']) => ({
    etag,
    isWeak: weak !== undefined,
  }));
}
