import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import proxyAddress from '@fastify/proxy-addr';
import type { Config, TrustProxy } from '../../config.ts';
import { toHttpError, RefusalError } from '../../http-error.ts';
import type { ServerOptions } from '../../server-options.ts';
import { RequestLogController } from '../../observability/logger.ts';
import { trackConnections, type Connections, CLIENT_SHARE, type Connection } from './connection.ts';
import { OverloadError } from '../../registry-error.ts';
import { handleClientError, refuse } from './error-handler.ts';
import { requestIdOf } from './headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** By when the database must have answered, as `performance.now()` counts. */
    deadline: number;
  }
}

/** The largest request body, in bytes; the largest valid registration takes about 30 kB. */
const BODY_LIMIT = 65_536;
/** The longest path with its query, in characters; the longest valid search takes about 2,500. */
const MAX_URL_LENGTH = 8_192;
const MAX_HEADERS_SIZE = 16_384;
const COOKIES_TOO_LARGE =
  'The cookies that your browser sends are too large, although this site needs none; please delete those of this site';
/** The shortest time between two warnings of too many connections, in milliseconds. */
const WARNING_INTERVAL = 60_000;
/** How often the delay of the event loop is sampled, in milliseconds; the histogram counts this waiting time as delay. */
const DELAY_RESOLUTION = 10;
/** Over how long the mean is taken, in milliseconds. */
const DELAY_INTERVAL = 1_000;

/** Whether a proxy is trusted. `hop` is its distance in proxies, starting at 0. */
type IsTrusted = (address: string, hop: number) => boolean;

const isPrivate = proxyAddress.compile(['loopback', 'linklocal', 'uniquelocal']);

export function createServer(
  config: ServerOptions & Pick<Config, 'TRUST_PROXY'>,
  logger: FastifyServerOptions['logger'] = false,
): { app: FastifyInstance; connections: Connections } {
  const isTrusted = toTrustFunction(config.TRUST_PROXY);
  const app: FastifyInstance = Fastify({
    bodyLimit: BODY_LIMIT,
    // find-my-way responds with 404 to a longer parameter; the limit of the whole address is enough.
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    requestTimeout: config.requestTimeout,
    connectionTimeout: config.connectionTimeout,
    keepAliveTimeout: config.keepAliveTimeout,
    logger,
    logController: new RequestLogController(),
    genReqId: requestIdOf,
    rewriteUrl: ({ url = '/' }) => toMachinePath(url),
    trustProxy: config.TRUST_PROXY === undefined ? false : isTrusted,
    // Fastify's own 503 on open connections does not have our error format, and the request can still be served.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => handleClientError(error, socket, connections),
    frameworkErrors: (error, request, reply) => {
      connections.refused.set(request.raw, toHttpError(error));
      refuse(app, request.raw, reply.raw);
    },
    http: {
      headersTimeout: config.headersTimeout,
      connectionsCheckingInterval: 1_000,
      // Larger than our limit: a request that Node refuses has no method, and a HEAD must get no body.
      maxHeaderSize: 2 * MAX_HEADERS_SIZE,
      // Node's own response to a request without Host has no body; ours has a sentence.
      requireHostHeader: false,
    },
  });
  const connections = trackConnections(app.server, (address) => mayBeProxy(address, isTrusted));
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  return { app, connections };
}

/** The address of a surface for programs without doubled slashes and one at its end, as programs join addresses. */
function toMachinePath(url: string): string {
  if (!/^\/+(?:mcp|ard|v0\.1)(?:[/?]|$)/.test(url)) return url;
  const [path = '', ...query] = url.split('?');
  return [`/${path.split('/').filter(Boolean).join('/')}`, ...query].join('?');
}

export function toTrustFunction(trust: TrustProxy): IsTrusted {
  if (typeof trust === 'number') return (_address, hop) => hop < trust;
  return trust ? proxyAddress.compile(trust) : () => false;
}

/** Whether many clients may connect from an address: that of a trusted proxy, or a private one, which operators may not name. */
export function mayBeProxy(address: string, isTrusted: IsTrusted): boolean {
  return isPrivate(address, 0) || isTrusted(address, 0);
}

/** Bounds the open connections; refuses addresses longer than any valid one (414) and larger headers (431). */
export function registerServerLimits(app: FastifyInstance, connections: Connections, maxConnections: number): void {
  limitConnections(app, connections, maxConnections);
  // Without a listener, a connection that cannot be accepted for lack of file descriptors would end the process.
  app.server.once('listening', () => app.server.on('error', (error) => app.log.error(error)));
  // Clients may close their side of the connection once the request is sent, and still get the response.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.addHook('onRequest', (request, _reply, done) => {
    const { url, raw } = request;
    const size = raw.rawHeaders.reduce((sum, text) => sum + text.length, url.length);
    if (url.length > MAX_URL_LENGTH) done(new RefusalError({ status: 414, detail: 'The address is too long' }));
    else if (size > MAX_HEADERS_SIZE) {
      const { cookie = '' } = request.headers;
      const areCookies = size - cookie.length <= MAX_HEADERS_SIZE;
      const detail = areCookies ? COOKIES_TOO_LARGE : 'The address and the headers are too long';
      done(new RefusalError({ status: 431, detail }));
    } else done();
  });
}

/** Closes the longest idle connection for each one beyond `maxConnections`, or of a client beyond its share. */
function limitConnections(app: FastifyInstance, connections: Connections, maxConnections: number): void {
  const share = Math.ceil(maxConnections * CLIENT_SHARE);
  let nextWarning = 0;
  app.server.on('connection', (socket: Socket) => {
    const connection = connections.find(socket);
    if (!connection) return;
    const longestIdle = findSurplus(connection);
    if (!longestIdle) return;
    connections.close(longestIdle);
    if (performance.now() < nextWarning) return;
    nextWarning = performance.now() + WARNING_INTERVAL;
    app.log.warn(
      { maxConnections, share },
      'Connections are closed: as many as allowed are open, or a quarter of them by one client.',
    );
  });

  function findSurplus({ client }: Connection): Connection | undefined {
    const isBeyondShare = !client.mayBeProxy && client.connections > share;
    if (!isBeyondShare && connections.size <= maxConnections) return undefined;
    // The new connection is the last of them.
    const [longestIdle] = isBeyondShare ? client.idle : connections.idle;
    return longestIdle;
  }
}

/** Sets one deadline for the version, the rate limits and the reads of a request together, in milliseconds. */
export function registerDeadline(app: FastifyInstance, timeout: number): void {
  app.decorateRequest('deadline', Infinity);
  // The time that a client takes to send its body is its own.
  app.addHook('preValidation', (request, _reply, done) => {
    request.deadline = performance.now() + timeout;
    done();
  });
}

/** Refuses requests with 503 while the event loop is late, so that requests under way complete; with 0 never. */
export function registerLoadShedding(app: FastifyInstance, maxEventLoopDelay: number): void {
  if (maxEventLoopDelay === 0) return;
  const histogram = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION });
  histogram.enable();
  let isLate = false;
  const timer = setInterval(() => {
    isLate = histogram.mean / 1e6 - DELAY_RESOLUTION > maxEventLoopDelay;
    histogram.reset();
  }, DELAY_INTERVAL).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    histogram.disable();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    // A supervisor would take a refusal for a broken process, and restart it under load.
    const isRefused = isLate && !request.routeOptions.config.isAlwaysServed;
    done(isRefused ? new OverloadError('The event loop is late') : undefined);
  });
}
