import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RateLimiter, RateLimitKind } from '../../rate-limit/rate-limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rate limit of a route: `read` for GET by default, none for other methods; `false` for none. */
    rateLimit?: RateLimitKind | false | ((request: FastifyRequest) => RateLimitKind);
  }
}

/**
 * Checks rate limits before handlers run. Register it after the response cache, so that cache hits are free and
 * everything that renders, searches or validates is counted first.
 */
export function registerRateLimits(app: FastifyInstance, rateLimiter: RateLimiter): void {
  app.addHook('preHandler', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { rateLimit = isRead && 'read' } = request.routeOptions.config;
    const kind = typeof rateLimit === 'function' ? rateLimit(request) : rateLimit;
    if (kind) reply.headers(await rateLimiter.consume(kind, request.ip));
  });
}
