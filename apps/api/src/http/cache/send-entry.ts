import type { FastifyReply } from 'fastify';
import { RegistryError } from '../../registry-error.ts';
import { isCompressible, preferredEncoding } from './compression.ts';
import type { Entries, Entry } from './entries.ts';
import { allowsEtag, matchesEtag, toEtagHeader } from './etags.ts';
import { createTurns } from './in-turn.ts';
import type { ResponseCacheOptions } from './response-cache.ts';

/** `Cache-Control` of responses that caches revalidate with each request. */
export const REVALIDATE = 'public, max-age=0, must-revalidate';

/** Sends an entry, which was kept or has just been produced. */
export type SendEntry = (reply: FastifyReply, entry: Entry, source: 'hit' | 'miss') => Promise<FastifyReply>;

/** Creates the function that sends entries: with an ETag, compressed, or 304 and 412 as the client's own ETags demand. */
export function createSendEntry(
  entries: Pick<Entries, 'encode'>,
  { onView, metrics }: Pick<ResponseCacheOptions, 'onView' | 'metrics'>,
): SendEntry {
  const inTurn = createTurns();

  return async (reply, entry, source) => {
    const { request } = reply;
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
    return reply.header('content-encoding', encoding).send(await inTurn(await entries.encode(entry, encoding)));
  };
}
