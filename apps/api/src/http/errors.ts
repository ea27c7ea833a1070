import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, type Problem } from '@agent-registry/contracts';
import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toFailure, type Failure } from '../failure.ts';
import { routeOf } from './metrics.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';

const JSON_MEDIA_TYPES = [PROBLEM_MEDIA_TYPE, 'application/json', 'application/json; charset=utf-8'];

/** Gives every error of the application the one form of `sendFailure`. */
export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError);
  app.addHook('onRequest', async (request, reply) => {
    if (request.raw.httpVersion !== '1.1' || request.headers.host !== undefined) return;
    return sendFailure(request, reply, { status: 400, detail: 'The request has no Host header' });
  });
  app.server.on('checkExpectation', answerExpectation);
}

/** Answers with what a caller may know of an error; the rest goes to the log. */
export function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error);
  logFailure(error, request);
  return sendFailure(request, reply, failure);
}

/** Logs an error that is not its caller's own. */
export function logFailure(error: Error, request: FastifyRequest): void {
  const { status, isIntended } = toFailure(error);
  if (status < 500 || isIntended) return;
  request.log.error({ err: error, method: request.method, route: routeOf(request) }, 'A request failed.');
}

/**
 * Answers with a failure: one sentence as plain text, or problem details where the caller asks for JSON by name.
 * The answer is never stored by a cache.
 */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  const { status, errors, retryAfter } = failure;
  const detail = `${failure.detail}.`;
  reply.code(status).header('Cache-Control', 'no-store').header('Vary', 'Accept');
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  const type = accepts(request.raw).type(['text/plain', ...JSON_MEDIA_TYPES]);
  if (typeof type === 'string' && JSON_MEDIA_TYPES.includes(type)) {
    const title = STATUS_CODES[status] ?? 'Error';
    const problem: Problem = { type: 'about:blank', title, status, detail, ...(errors && { errors }) };
    return reply.type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem));
  }
  return reply.type('text/plain; charset=utf-8').send(detail);
}

/** A route that answers before a body is read, so that no body can change the answer. */
export function answerAtOnce(answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply) {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => answer(request, reply);
  return { onRequest: handler, handler };
}

/** Answers bytes that are no whole request, for which there is neither request nor reply. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  // In the middle of another answer a sentence would be taken for a part of it.
  if (isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The address and the headers are too long.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request took too long.']
        : [400, 'The request is not valid HTTP.'];
  const headers = Object.entries(rawHeaders(detail, randomUUID())).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${detail}`);
}

// Node itself looks there before it answers such bytes.
function isAnswering(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  const detail = 'What the Expect header asks for cannot be met.';
  response.writeHead(417, rawHeaders(detail, requestIdOf(request)));
  response.end(detail);
}

function rawHeaders(detail: string, requestId: string) {
  return {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': detail.length,
    'Cache-Control': 'no-store',
    [REQUEST_ID_HEADER]: requestId,
    Connection: 'close',
  };
}
