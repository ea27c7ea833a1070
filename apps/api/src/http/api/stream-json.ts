import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Sends a list as one JSON array: whole where it has but one chunk, else chunk by chunk, no faster than it is taken.
 * A failure while the first two chunks are read rejects. A later one fails the body: that is an answer like any other where
 * the body is read before it is sent, to be kept; else the connection is broken off.
 */
export async function sendChunks(reply: FastifyReply, chunks: AsyncGenerator<unknown[]>): Promise<FastifyReply> {
  const [first, second] = [await chunks.next(), await chunks.next()];
  if (second.done) return reply.send(first.value ?? []);
  const body = Readable.from(toJson([first.value as unknown[], second.value], chunks));
  return reply.type('application/json; charset=utf-8').send(body);
}

async function* toJson(read: unknown[][], rest: AsyncGenerator<unknown[]>): AsyncGenerator<string> {
  let separator = '[';
  for (const chunk of read) yield toEntries(chunk);
  for await (const chunk of rest) yield toEntries(chunk);
  yield ']';

  function toEntries(chunk: unknown[]): string {
    const entries = separator + JSON.stringify(chunk).slice(1, -1);
    separator = ',';
    return entries;
  }
}
