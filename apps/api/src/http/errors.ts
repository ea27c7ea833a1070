import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, type Problem } from '@agent-registry/contracts';
import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toFailure, type Failure } from '../failure.ts';

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
  if (failure.status >= 500 && !failure.isIntended) request.log.error(error);
  return sendFailure(request, reply, failure);
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

/** Answers bytes that are not HTTP, for which there is neither request nor reply. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request took too long.']
        : [400, 'The request is not valid HTTP.'];
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${detail.length}\r\nConnection: close\r\n\r\n${detail}`,
  );
}

function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const detail = 'What the Expect header asks for cannot be met.';
  response.writeHead(417, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': detail.length,
    Connection: 'close',
  });
  response.end(detail);
}
