import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { PROBLEM_MEDIA_TYPE, type Problem } from '@agent-registry/contracts';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createPathNotFoundError, RefusalError, toHttpError, type HttpError } from '../../http-error.ts';
import { logError } from '../../observability/logger.ts';
import type { RateLimiter } from '../../rate-limit/rate-limiter.ts';
import type { Connections } from './connection.ts';
import { countError, refundReads } from './rate-limits.ts';
import { prefersType, REQUEST_ID_HEADER } from './headers.ts';

const JSON_MEDIA_TYPES = [PROBLEM_MEDIA_TYPE, 'application/json', 'application/json; charset=utf-8'];

type Limiter = Pick<RateLimiter, 'charge' | 'consume'>;

/** Sends every error of the application in one format, unless a scope sets another one. */
export function registerErrorHandler(
  app: FastifyInstance,
  { refused }: Pick<Connections, 'refused'>,
  rateLimiter: Limiter,
): void {
  setErrorFormat(app, rateLimiter, toTextOrProblem);
  app.setNotFoundHandler(async (request) => {
    throw createNoRouteError(request);
  });
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    refused.set(request, { status: 417, detail: 'What the Expect header asks for cannot be met' });
    refuse(app, request, response);
  });
}

/** Passes a request that is in `refused` through our hooks, so that its error has the format of its scope. */
export function refuse(app: FastifyInstance, request: IncomingMessage, response: ServerResponse): void {
  const [scope = ''] = /^\/[\w-]+/.exec(request.url ?? '') ?? [];
  request.url = `${scope}/none`;
  app.routing(request, response);
}

/** Sends the errors of a scope in a format of its own; those of clients count against their rate limits. */
export function setErrorFormat(
  scope: FastifyInstance,
  rateLimiter: Limiter,
  format: (error: HttpError, request: FastifyRequest) => { type: string; body: string },
): void {
  scope.setErrorHandler(async (thrown: Error, request, reply) => {
    logError(thrown, request);
    await refundReads(thrown, request, rateLimiter);
    const error = await countError(toHttpError(thrown), request, rateLimiter);
    const { status, retryAfter, headers = {} } = error;
    const { type, body } = format(error, request);
    // Caches never store an error.
    reply.code(status).headers(headers).header('Cache-Control', 'no-store').header('Vary', 'Accept');
    if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
    return sendText(request, reply.type(type), body);
  });
}

function toTextOrProblem({ status, detail, errors }: HttpError, { raw }: FastifyRequest) {
  const sentence = `${detail}.`;
  if (!prefersType(raw, JSON_MEDIA_TYPES, 'text/plain')) return { type: 'text/plain; charset=utf-8', body: sentence };
  const title = STATUS_CODES[status] ?? 'Error';
  const problem: Problem = { type: 'about:blank', title, status, detail: sentence, ...(errors && { errors }) };
  return { type: `${PROBLEM_MEDIA_TYPE}; charset=utf-8`, body: JSON.stringify(problem) };
}

/** Sends a text immediately, but ends the response only after the request body, which the client is still sending. */
function sendText(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const { raw, headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody || raw.complete || request.method === 'HEAD') return reply.send(text);
  reply.header('Content-Length', Buffer.byteLength(text));
  return reply.send(Readable.from(sendThenDrain(), { objectMode: false }));

  async function* sendThenDrain() {
    yield text;
    // The request timeout ends this; closing earlier would reset the connection before the client reads the response.
    const drained = new Promise((resolve) => raw.once('end', resolve).once('close', resolve));
    raw.resume();
    if (!raw.complete) await drained;
  }
}

/** A route that refuses a request before its body is read, so that an invalid body does not change the response. */
export function refusingRoute(toError: (request: FastifyRequest) => Error) {
  const handler = async (request: FastifyRequest): Promise<never> => {
    throw toError(request);
  };
  return { onRequest: handler, handler };
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];

/** The error of a request that no route takes: 405 if its path has routes of other methods, else 404. */
export function createNoRouteError({ server, method, url }: FastifyRequest): Error {
  const allowed = METHODS.filter((name) => {
    const route = server.findRoute({ method: name, url });
    // Those with a wildcard are the page of unknown paths, and refusals.
    return route && !('*' in route.params);
  });
  const isRefused = allowed.length === 0 || allowed.includes(method);
  return isRefused ? createPathNotFoundError() : createMethodError(method, allowed);
}

function createMethodError(method: string, allowed: readonly string[]): Error {
  const methods = allowed.join(', ');
  const detail = `${method} is not allowed here, only ${methods}`;
  return new RefusalError({ status: 405, detail, headers: { Allow: methods } });
}

/** Refuses other methods at a path than those that are allowed, in the error format of a scope. */
export function refuseOtherMethods(
  scope: FastifyInstance,
  url: string,
  allowed: readonly string[],
  config: FastifyContextConfig = {},
): void {
  const method = scope.supportedMethods.filter((name) => !allowed.includes(name));
  const refused = refusingRoute((request) => createMethodError(request.method, allowed));
  scope.route({ method, url, config, ...refused });
}

/** Responds to bytes that are not a complete request, for which Fastify has neither request nor reply. */
export function handleClientError(error: Error & { code?: string }, socket: Socket, connections: Connections): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const connection = connections.find(socket);
  const [response] = connection?.unfinished.keys() ?? [];
  if (response?.req.complete) {
    // Responses to complete requests before these bytes come first: those requests may have changed something.
    response.once('close', () => handleClientError(error, socket, connections));
    return;
  }
  const isAnswered = response ? response.headersSent : connection?.latest?.complete === false;
  if (isAnswered) {
    socket.destroy();
    return;
  }
  // Without a method a HEAD cannot be told from a GET, so 431 has no body.
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, '']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request took too long.']
        : [400, 'The request is not valid HTTP.'];
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': detail.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    [REQUEST_ID_HEADER]: randomUUID(),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${detail}`);
}
