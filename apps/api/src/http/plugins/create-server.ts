import { METHODS } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { TrustProxy } from '../../config.ts';
import { toHttpError } from '../../http-error.ts';
import { RequestLogController } from '../../observability/logger.ts';
import { trackConnections, type Connections } from './connection.ts';
import { handleClientError, refuse } from './error-handler.ts';
import { requestIdOf } from './request-id.ts';
import { serverOptions, type Timeouts } from './server-limits.ts';
import proxyAddress from '@fastify/proxy-addr';

/** Whether a proxy is trusted. `hop` is its distance in proxies, starting at 0. */
type IsTrusted = (address: string, hop: number) => boolean;

const isPrivate = proxyAddress.compile(['loopback', 'linklocal', 'uniquelocal']);

export type ServerOptions = {
  timeouts: Timeouts;
  /** The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  trustProxy: TrustProxy | undefined;
  logger: FastifyServerOptions['logger'];
};

/** Creates a Fastify server without hooks or routes, and keeps what is known of its connections. */
export function createServer({ timeouts, trustProxy, logger }: ServerOptions): {
  app: FastifyInstance;
  connections: Connections;
} {
  const serverLimits = serverOptions(timeouts);
  const isTrusted = toTrustFunction(trustProxy);
  const app: FastifyInstance = Fastify({
    ...serverLimits,
    logger,
    logController: new RequestLogController(),
    genReqId: requestIdOf,
    rewriteUrl: ({ url = '/' }) => toMachinePath(url),
    trustProxy: trustProxy === undefined ? false : isTrusted,
    // Fastify's own 503 on open connections does not have our error format, and the request can still be served.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => handleClientError(error, socket, connections),
    frameworkErrors: (error, request, reply) => {
      connections.refused.set(request.raw, toHttpError(error));
      refuse(app, request.raw, reply.raw);
    },
    // Node's own response to a request without Host has no body; ours has a sentence.
    http: { ...serverLimits.http, requireHostHeader: false },
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

/** Converts the setting to a function, as Fastify's `trustProxy` accepts it. */
export function toTrustFunction(trust: TrustProxy): IsTrusted {
  if (typeof trust === 'number') return (_address, hop) => hop < trust;
  return trust ? proxyAddress.compile(trust) : () => false;
}

/** Whether many clients may connect from an address: that of a trusted proxy, or a private one, which operators may not name. */
export function mayBeProxy(address: string, isTrusted: IsTrusted): boolean {
  return isPrivate(address, 0) || isTrusted(address, 0);
}
