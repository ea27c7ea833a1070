import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, type FieldError, type Problem } from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import accepts from 'accepts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';

/** A failure as its caller sees it: a status, and a sentence a person can read, without its full stop. */
export type Failure = { status: number; detail: string; errors?: FieldError[] };

const UNEXPECTED: Failure = { status: 500, detail: 'Something went wrong on our side; please try again later' };

/** Sentences for what Fastify refuses before a route is reached, by its error code. */
const refusals: Record<string, string> = {
  FST_ERR_BAD_URL: 'The address is not a valid URL',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty; it must be a JSON object',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be JSON, sent with Content-Type: application/json',
};

/** Answers with what a caller may know of an error; the rest goes to the log. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error);
  if (failure.status >= 500) request.log.error(error);
  return sendFailure(request, reply, failure);
}

/**
 * Answers with a failure: one sentence as plain text, or problem details where the caller asks for JSON by name.
 * The answer is never stored by a cache.
 */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  const { status, errors } = failure;
  const detail = `${failure.detail}.`;
  reply.code(status).header('Cache-Control', 'no-store').header('Vary', 'Accept');
  const type = accepts(request.raw).type(['text/plain', PROBLEM_MEDIA_TYPE, 'application/json']);
  if (type === PROBLEM_MEDIA_TYPE || type === 'application/json') {
    const title = STATUS_CODES[status] ?? 'Error';
    const problem: Problem = { type: 'about:blank', title, status, detail, ...(errors && { errors }) };
    return reply.type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem));
  }
  return reply.type('text/plain; charset=utf-8').send(detail);
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

function toFailure(error: FastifyError | TRPCError): Failure {
  if (error instanceof TRPCError) {
    if (error.cause instanceof ZodError && error.code === 'BAD_REQUEST') return describeBadInput(error.cause);
    const status = getHTTPStatusCodeFromError(error);
    return status < 500 ? { status, detail: error.message } : UNEXPECTED;
  }
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500) return UNEXPECTED;
  return { status, detail: refusals[error.code] ?? STATUS_CODES[status] ?? 'The request cannot be answered' };
}

function describeBadInput(error: ZodError): Failure {
  const detail = error.issues.map((issue) => issue.message).join('; ');
  const errors = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, 10).map((key) => ({ field: key.slice(0, 40), message: 'This field is not accepted' }))
      : [{ field: issue.path.join('.'), message: issue.message }],
  );
  return { status: 400, detail, errors };
}
