import { TRPCError } from '@trpc/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DatabaseBusyError, DatabaseTimeoutError, DatabaseUnavailableError, inTime } from '../../database-error.ts';
import { toHttpError, type HttpError } from '../../http-error.ts';
import { readCharges, type ReadKind, type RateLimitKind } from '../../rate-limit/check-usages.ts';
import type { PreparedCall, RateLimiter } from '../../rate-limit/rate-limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rate limit of a route: `read` for GET by default, none for other methods; `false` for none. */
    rateLimit?: RateLimitKind | false | ((request: FastifyRequest) => RateLimitKind | false);
    /** Whether the handler counts its calls in the transaction of what they store. */
    isCountedByHandler?: boolean;
    /** The kind of read of a route, by which it counts as several. */
    readKind?: ReadKind | undefined | ((request: FastifyRequest) => ReadKind | undefined);
  }
  interface FastifyRequest {
    isCounted: boolean;
    reads: number;
    prepared: PreparedCall | null;
  }
}

/** Checks rate limits before handlers run, after the response cache, so that cache hits are free. */
export function registerRateLimits(app: FastifyInstance, rateLimiter: RateLimiter): void {
  app.decorateRequest('isCounted', false);
  app.decorateRequest('reads', 0);
  app.decorateRequest('prepared', null);
  app.addHook('preHandler', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { rateLimit = isRead && 'read', readKind, isCountedByHandler = false } = request.routeOptions.config;
    const kind = typeof rateLimit === 'function' ? rateLimit(request) : rateLimit;
    if (!kind) return;
    request.isCounted = true;
    const read = typeof readKind === 'function' ? readKind(request) : readKind;
    const call = { bytes: lengthOf(request.body), calls: read && readCharges[read] };
    if (isCountedByHandler) {
      const prepared = rateLimiter.prepare(kind, request.ip, call);
      request.isCounted = false;
      request.prepared = {
        ...prepared,
        check(usages) {
          request.isCounted = true;
          return prepared.check(usages);
        },
      };
      return;
    }
    reply.headers(await inTime(rateLimiter.consume(kind, request.ip, call), request.deadline));
    if (kind === 'read') request.reads += call.calls ?? 1;
  });
}

/** The length of a body, which stays text until the request is counted, in bytes. */
export function lengthOf(body: unknown): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : 0;
}

/** Takes back the reads of a request while the database is away; timeouts cost as much as answers. */
export async function refundReads(
  error: Error,
  request: FastifyRequest,
  rateLimiter: Pick<RateLimiter, 'charge'>,
): Promise<void> {
  const reason = error instanceof TRPCError ? error.cause : error;
  const isAway = reason instanceof DatabaseUnavailableError;
  if (!isAway || reason instanceof DatabaseTimeoutError || reason instanceof DatabaseBusyError) return;
  const { reads } = request;
  request.reads = 0;
  if (reads > 0) await rateLimiter.charge('read', request.ip, -reads);
}

/** Counts an error of the client, unless it has been counted; returns what to send: 429 once the limit is used up. */
export async function countError(
  error: HttpError,
  request: FastifyRequest,
  rateLimiter: Pick<RateLimiter, 'consume'>,
): Promise<HttpError> {
  if (error.status >= 500 || request.isCounted || request.routeOptions.config.isAlwaysServed) return error;
  request.isCounted = true;
  try {
    const { kind = 'read', call } = request.prepared ?? {};
    const headers = await rateLimiter.consume(kind, request.ip, call);
    return { ...error, headers: { ...error.headers, ...headers } };
  } catch (refusal) {
    return toHttpError(refusal as Error);
  }
}
