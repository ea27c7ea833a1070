import { LogController, type FastifyBaseLogger, type FastifyRequest } from 'fastify';
import type { ResponseReport } from './on-response.ts';
import { logError } from '../http/plugins/error-handler.ts';

// The addresses that the contract takes, as they stand or percent-encoded, with the length of each part bounded.
const MAIL_ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?:@|%40)(?:[a-z\d-]{1,63}\.){1,20}[a-z]{2,63}/gi;
/** What the id of a request is called. */
const REQUEST_ID_LABEL = 'requestId';
/** The levels at which reads are told. */
const VERBOSE = new Set(['trace', 'debug']);

/** The options of a log of JSON lines, in which no mail address stands, wherever it came from. */
export function logOptions(level: string) {
  return { level, hooks: { streamWrite: (line: string) => line.replace(MAIL_ADDRESS, '[mail address]') } };
}

/**
 * Keeps what Fastify logs of requests out of the log, but for answers that fail once they have begun: Fastify breaks the
 * connection off then, and nobody else is told.
 */
export class RequestLogController extends LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: REQUEST_ID_LABEL });
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest): void {
    // A caller who leaves before the end is none of our failures.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') logError(error, request);
  }
}

/** Whether a log tells of reads. */
export function isVerbose(log: FastifyBaseLogger): boolean {
  return VERBOSE.has(log.level);
}

/** The log of a request that Fastify has not seen. */
export function logOf(requestId: string, log: FastifyBaseLogger): FastifyBaseLogger {
  return log.child({ [REQUEST_ID_LABEL]: requestId });
}

/** Logs an answer: reads, which are many, where the level is debug; what may have changed something always. */
export function logResponse(answered: ResponseReport, log: FastifyBaseLogger): void {
  const level = answered.method === 'GET' || answered.method === 'HEAD' ? 'debug' : 'info';
  log[level](answered, 'Response sent.');
}
