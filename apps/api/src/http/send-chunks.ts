import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Sends a list as one JSON array: whole where it has but one chunk, else chunk by chunk, no faster than it is taken.
 * A failure while the first two chunks are read rejects; a later one breaks the connection off and goes to the log.
 */
export async function sendChunks(
  request: FastifyRequest,
  reply: FastifyReply,
  chunks: AsyncGenerator<unknown[]>,
): Promise<FastifyReply> {
  const [first, second] = [await chunks.next(), await chunks.next()];
  if (second.done) return reply.send(first.value ?? []);
  const body = Readable.from(toJson([first.value as unknown[], second.value], chunks));
  // Fastify breaks the connection off, but logs nothing where the log of requests is off.
  body.on('error', (error) => request.log.error(error));
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
