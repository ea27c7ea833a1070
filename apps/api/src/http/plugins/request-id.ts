import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The header with the id of a request, for finding it in the logs of the registry and of its proxies. */
export const REQUEST_ID_HEADER = 'x-request-id';

// The ids of tracing systems; nothing that could break a log line.
const SANE_ID = /^[\w.-]{8,64}$/;

/** The id that the client or a proxy has set, if it is sane; a new one otherwise. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}

/** Adds the request id to every response. */
export function registerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
}
