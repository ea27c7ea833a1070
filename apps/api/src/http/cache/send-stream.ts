import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { inTime } from '../../in-time.ts';
import { readIfNoneMatch } from './etags.ts';
import type { ProducedResponse } from './response-cache.ts';
import { REVALIDATE } from './send-entry.ts';
import type { StreamTurns } from './stream-turns.ts';

/**
 * Sends a response that is too large for the cache while it is read, with backpressure.
 * @param etag stands for the version of the data; without one, the response has no ETag
 * @throws {RegistryError} `too-many` while another stream is sent to the client
 */
export type SendStream = (
  reply: FastifyReply,
  produce: () => Promise<ProducedResponse>,
  etag: string | undefined,
) => Promise<FastifyReply>;

/** Creates the function that sends streams, each in the turn of its client. */
export function createSendStream(turns: StreamTurns): SendStream {
  return async (reply, produce, etag) => {
    const { request } = reply;
    // Weak, because agents that are hidden while the stream is sent are left out.
    const describe = () => reply.headers({ etag: `W/"${etag}"`, 'cache-control': REVALIDATE });
    const named = readIfNoneMatch(request.headers['if-none-match']);
    if (etag !== undefined && named !== '*' && named?.includes(etag)) return describe().code(304).send();
    const isHead = request.method === 'HEAD';
    if (!isHead) await turns.take(reply);
    const { status = 200, headers, body, isReusable } = await inTime(produce(), request.deadline);
    const parts = (body as AsyncIterable<string>)[Symbol.asyncIterator]();
    // The first part is read before the headers are sent, so its errors are ordinary responses.
    const first = isHead ? undefined : await inTime(parts.next(), request.deadline);
    if (etag !== undefined && isReusable !== false) describe();
    reply.code(status).headers(headers);
    // For HEAD, Fastify would read all of a stream to send none of it.
    return reply.send(Readable.from(first ? join(first, parts) : [], { objectMode: false }));
  };
}

async function* join(
  first: IteratorResult<string, unknown>,
  others: AsyncIterator<string>,
): AsyncGenerator<string, void, undefined> {
  if (first.done) return;
  yield first.value;
  yield* { [Symbol.asyncIterator]: () => others };
}
