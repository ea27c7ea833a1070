import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { inTime } from '../../database-error.ts';
import { networkOf } from '../../rate-limit/rate-limiter.ts';
import { RegistryError } from '../../registry-error.ts';
import { REVALIDATE, type ProducedResponse } from './entries.ts';

const RETRY_AFTER = 10;

export type StreamedResponse = ProducedResponse & { body: () => AsyncIterable<string> };

/** Describes a stream, or its 304. The ETag is weak: agents that are hidden while the stream is sent are left out. */
export function describeStream(reply: FastifyReply, etag: string): FastifyReply {
  return reply.header('cache-control', REVALIDATE).header('etag', `W/"${etag}"`);
}

/** Reads the first piece of a body, so that a body that cannot be read is an error and not a response that breaks off. */
async function begin(body: AsyncIterable<string>, deadline: number): Promise<AsyncIterable<string>> {
  const pieces = body[Symbol.asyncIterator]();
  const first = await inTime(pieces.next(), deadline);
  return (async function* () {
    if (!first.done) yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  })();
}

/** Creates the function that sends streams, one at a time to a client. */
export function createSendStream() {
  const ends = new Map<string, Promise<void>>();

  /** @throws {RegistryError} `too-many` while another stream is sent to the client */
  return async (
    reply: FastifyReply,
    { status = 200, headers, body, isReusable }: ProducedResponse,
    etag: string | undefined,
  ): Promise<FastifyReply> => {
    const isHead = reply.request.method === 'HEAD';
    if (!isHead) await waitForTurn(reply);
    // For HEAD, Fastify would read all of a stream to send none of it.
    const pieces = isHead ? [] : await begin((body as StreamedResponse['body'])(), reply.request.deadline);
    if (etag !== undefined && isReusable !== false) describeStream(reply, etag);
    reply.code(status).headers(headers);
    return reply.send(Readable.from(pieces, { objectMode: false }));
  };

  async function waitForTurn({ raw, request }: FastifyReply): Promise<void> {
    const network = networkOf(request.ip);
    const before = ends.get(network);
    // A response that is closed already emits no event.
    const end = Promise.all([before, raw.closed || once(raw, 'close')]).then(() => {
      if (ends.get(network) === end) ends.delete(network);
    });
    ends.set(network, end);
    if (!before) return;
    // Half of the time, so that the stream begins in time.
    await inTime(before, (performance.now() + request.deadline) / 2).catch(() => {
      throw new RegistryError(
        'too-many',
        'Your address already receives a full list. Ask again when it has ended, or for pages with limit',
        { headers: { 'Retry-After': String(RETRY_AFTER) } },
      );
    });
  }
}
