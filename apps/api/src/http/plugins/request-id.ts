import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * The header by which a request is found in the logs, here and in whatever stands before the registry. In small letters, as
 * all that every answer has: Fastify would make each name anew of another, which takes longer than all else about a header.
 */
export const REQUEST_ID_HEADER = 'x-request-id';

// What tracing systems use: nothing that could end a header, break a line or fill a log.
const SANE_ID = /^[\w.-]{8,64}$/;

/** The id that whoever sends the request has given it, if it is sane; else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}

/** Names the request in each answer. */
export function registerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
}
