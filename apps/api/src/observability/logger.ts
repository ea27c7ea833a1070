import { replaceHidden } from '@agent-registry/contracts';
import pretty from 'pino-pretty';
import { LogController, type FastifyBaseLogger, type FastifyRequest } from 'fastify';
import { TRPCError } from '@trpc/server';
import { type ResponseReport, routeOf } from './on-response.ts';
import { DatabaseUnavailableError } from '../database-error.ts';
import { toHttpError } from '../http-error.ts';

// The addresses that the contract accepts, plain or percent-encoded, but no versions of packages such as zod@4.6.7.
// Bounded lengths keep the match linear.
const MAIL_ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?:@|%40)(?:[a-z\d-]{1,63}\.){1,20}(?=[\d-]*[a-z])[a-z\d-]{1,63}/gi;
/** The name of the request id in log lines. */
const REQUEST_ID_LABEL = 'requestId';

/**
 * The options of a log in which mail addresses are masked, and characters that a terminal obeys or hides are U+FFFD: JSON
 * lines, or lines that are easy to read on a terminal.
 */
export function logOptions(level: string, isTerminal = false) {
  const stream = isTerminal ? { stream: pretty({ ignore: 'pid,hostname', sync: true }) } : {};
  return { level, ...stream, hooks: { streamWrite: cleanLine } };
}

function cleanLine(line: string): string {
  return replaceHidden(line.replace(MAIL_ADDRESS, '[mail address]'), () => '\u{FFFD}');
}

/** Turns off Fastify's request log, except for responses that fail after they began, which no error handler sees. */
export class RequestLogController extends LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: REQUEST_ID_LABEL });
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest): void {
    // The client closed the connection early.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') logError(error, request);
  }
}

/** Logs a response: reads at level `debug`, other methods at `info`. */
export function logResponse(response: ResponseReport, log: FastifyBaseLogger): void {
  const level = response.method === 'GET' || response.method === 'HEAD' ? 'debug' : 'info';
  log[level](response, 'Response sent.');
}

/**
 * Logs an error of the server; mistakes of the client, intended refusals and errors after the connection was closed, as
 * at the end of the process, are not logged. An outage that several requests share is logged once.
 */
export function logError(error: Error, request: FastifyRequest): void {
  const { status, isIntended } = toHttpError(error);
  if (status < 500 || isIntended || request.socket.destroyed) return;
  const reason = error instanceof TRPCError ? error.cause : error;
  if (reason instanceof DatabaseUnavailableError) {
    if (reason.isLogged) return;
    reason.isLogged = true;
  }
  request.log.error({ err: error, method: request.method, route: routeOf(request) }, 'A request failed.');
}
