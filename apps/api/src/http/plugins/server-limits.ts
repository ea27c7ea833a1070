import type { FastifyInstance } from 'fastify';
import { sendError } from './error-handler.ts';

/** The largest body that is read, in bytes; the largest valid registration takes about 30 kB. */
const BODY_LIMIT = 65_536;
/** The longest path with its query, in characters; the longest valid search takes about 2,500. */
const MAX_URL_LENGTH = 8_192;
/** How often connections are looked at for the time that they take, in milliseconds. */
const CHECK_INTERVAL = 1_000;

/** How long a client may take, in milliseconds. */
export type Timeouts = {
  /** For the headers of a request, from the connection or the request before on. */
  headers: number;
  /** For the whole request. */
  request: number;
  /** Without a byte in either direction, while a request is read or answered. */
  connection: number;
  /** Between an answer and the next request on its connection. */
  keepAlive: number;
};

/** The options of the server that bound what it reads and how long it waits for it. */
export function serverOptions({ headers, request, connection, keepAlive }: Timeouts) {
  return {
    bodyLimit: BODY_LIMIT,
    // A parameter has no bound of its own: beyond it, there would be nothing at the address.
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    requestTimeout: request,
    connectionTimeout: connection,
    keepAliveTimeout: keepAlive,
    http: { headersTimeout: headers, connectionsCheckingInterval: CHECK_INTERVAL },
  };
}

/** Refuses addresses that are longer than any valid one. */
export function registerServerLimits(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.length <= MAX_URL_LENGTH) return done();
    sendError(request, reply, { status: 414, detail: 'The address is too long' });
  });
}
