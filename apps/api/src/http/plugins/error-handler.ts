import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, type Problem } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { toHttpError, type HttpError } from '../../http-error.ts';
import { routeOf } from '../../observability/on-response.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

const JSON_MEDIA_TYPES = [PROBLEM_MEDIA_TYPE, 'application/json', 'application/json; charset=utf-8'];

/** Gives every error of the application the one form of `sendError`. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler(answerError);
  app.addHook('onRequest', (request, reply, done) => {
    const isHostMissing = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    const failure =
      refused.get(request.raw) ?? (isHostMissing && { status: 400, detail: 'The request has no Host header' });
    if (failure) sendError(request, reply, failure);
    else done();
  });
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    refuse(app, request, response, { status: 417, detail: 'What the Expect header asks for cannot be met' }),
  );
}

const refused = new WeakMap<IncomingMessage, HttpError>();

/** Answers a request that Node or Fastify would answer without our hooks: as one where nothing is, which is refused. */
export function refuse(
  app: FastifyInstance,
  request: IncomingMessage,
  response: ServerResponse,
  failure: HttpError,
): void {
  refused.set(request, failure);
  request.url = '/none';
  app.routing(request, response);
}

function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toHttpError(error);
  logError(error, request);
  return sendError(request, reply, failure);
}

/** Logs an error that is not its caller's own. */
export function logError(error: Error, request: FastifyRequest): void {
  const { status, isIntended } = toHttpError(error);
  if (status < 500 || isIntended) return;
  request.log.error({ err: error, method: request.method, route: routeOf(request) }, 'A request failed.');
}

/**
 * Answers with a failure: one sentence as plain text, or problem details where the caller asks for JSON by name.
 * The answer is never stored by a cache.
 */
export function sendError(request: FastifyRequest, reply: FastifyReply, failure: HttpError): FastifyReply {
  const { status, errors, retryAfter } = failure;
  const detail = `${failure.detail}.`;
  reply.code(status).header('Cache-Control', 'no-store').header('Vary', 'Accept');
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  const negotiator = new Negotiator(request.raw);
  const type = negotiator.mediaType(['text/plain', ...JSON_MEDIA_TYPES]);
  // By name: who takes whatever there is of a kind reads a sentence.
  const isNamed = negotiator.mediaTypes().some((name) => JSON_MEDIA_TYPES.includes(name.toLowerCase()));
  if (isNamed && type !== undefined && JSON_MEDIA_TYPES.includes(type)) {
    const title = STATUS_CODES[status] ?? 'Error';
    const problem: Problem = { type: 'about:blank', title, status, detail, ...(errors && { errors }) };
    return reply.type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem));
  }
  return reply.type('text/plain; charset=utf-8').send(detail);
}

/** A route that answers before a body is read, so that no body can change the answer. */
export function earlyRoute(answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply) {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => answer(request, reply);
  return { onRequest: handler, handler };
}

/** Answers bytes that are no whole request, for which there is neither request nor reply. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const answer = answerUnderWay(socket);
  if (answer?.req.complete) {
    // What has come whole is answered first: it may have changed something.
    answer.once('finish', () => handleClientError(error, socket));
    return;
  }
  // In the middle of another answer a sentence would be taken for a part of it.
  if (answer?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The address and the headers are too long.']
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

// Node itself looks there before it answers such bytes.
function answerUnderWay(socket: Socket & { _httpMessage?: ServerResponse | null }): ServerResponse | undefined {
  return socket._httpMessage ?? undefined;
}
