import { replaceHidden } from '@agent-registry/contracts';
import pretty from 'pino-pretty';
import { LogController, type FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { TRPCError } from '@trpc/server';
import { DatabaseUnavailableError } from '../database-error.ts';
import { toHttpError } from '../http-error.ts';
import { routeOf } from './metrics.ts';

// The addresses that the contract accepts, plain or percent-encoded, but no versions of packages such as zod@4.6.7.
// Bounded lengths keep the match linear.
const MAIL_ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?:@|%40)(?:[a-z\d-]{1,63}\.){1,20}(?=[\d-]*[a-z])[a-z\d-]{1,63}/gi;
const REQUEST_ID_LABEL = 'requestId';

/** Masks mail addresses and hidden characters, and counts the repeats of a cause; lines are easy to read on a terminal. */
export function logOptions(level: string, isTerminal = false) {
  const stream = isTerminal ? { stream: pretty({ ignore: 'pid,hostname', sync: true }) } : {};
  return { level, ...stream, hooks: { streamWrite: cleanLine, logMethod: countRepeats() } };
}

function cleanLine(line: string): string {
  return replaceHidden(line.replace(MAIL_ADDRESS, '[mail address]'), () => '\u{FFFD}');
}

/** How long the repeats of a cause are counted until their number is logged, in milliseconds. */
const REPEAT_PERIOD = 60_000;

/** Logs the first error of an outage or of a background job. The same one after it is counted, and logged as a number. */
function countRepeats() {
  const repeats = new Map<string, number>();
  return function logMethod(this: unknown, values: unknown[], log: (...values: never[]) => void): void {
    const write = (...line: unknown[]) => log.apply(this, line as never[]);
    const cause = toCause(values[0]);
    if (cause === undefined) return write(...values);
    const count = repeats.get(cause);
    repeats.set(cause, count === undefined ? 0 : count + 1);
    if (count !== undefined) return;
    write(...values);
    const timer = setInterval(() => {
      const repeated = repeats.get(cause) ?? 0;
      if (repeated > 0) {
        write({ cause, repeats: repeated }, 'A failure goes on.');
        repeats.set(cause, 0);
      } else {
        repeats.delete(cause);
        clearInterval(timer);
      }
    }, REPEAT_PERIOD).unref();
  };
}

/** What a failure has in common with its repeats. An unexpected error of a request has a line of its own. */
function toCause(value: unknown): string | undefined {
  if (value instanceof Error) return value.message;
  const error = (value as { err?: unknown } | undefined)?.err;
  const reason = error instanceof TRPCError ? error.cause : error;
  return reason instanceof DatabaseUnavailableError ? reason.message : undefined;
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

/** Logs an error of the server, but no mistake of the client, intended refusal or error after the connection was closed. */
export function logError(error: Error, request: FastifyRequest): void {
  const { status, isIntended } = toHttpError(error);
  if (status < 500 || isIntended || request.socket.destroyed) return;
  request.log.error({ err: error, method: request.method, route: routeOf(request) }, 'A request failed.');
}

// Scripts that people run are not crawlers, although isbot counts them as bots.
const PROGRAMS =
  /^(curl|wget|httpie|python|aiohttp|node|undici|axios|got|go-http-client|okhttp|java|apache-httpclient|deno|bun|postmanruntime|insomnia|libwww-perl|guzzlehttp|ruby|dart)\b/i;

/** What is known of the latest values of `User-Agent`. */
const crawlers = new LRUCache<string, boolean>({
  max: 100,
  memoMethod: (userAgent) => !PROGRAMS.test(userAgent) && isbot(userAgent.replace('HeadlessChrome', 'Chrome')),
});

/** Whether a User-Agent is a crawler's. Scripts and headless browsers are not crawlers. */
export function isCrawler(userAgent = ''): boolean {
  return crawlers.memo(userAgent);
}
