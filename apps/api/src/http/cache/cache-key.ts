import type { FastifyRequest } from 'fastify';

/** The parts of a request that its response depends on. */
export type CacheKeyParts = {
  /** The parsed request, such as a list; plain data whose properties are always in the same order. */
  value: unknown;
  /** The origin, where the body names it. */
  origin: string | undefined;
};

/**
 * Builds the cache key of a request from its parsed value. What parsing leaves out, such as unknown parameters and other
 * spellings of a value, neither makes another entry nor evicts one.
 */
export function cacheKey(request: FastifyRequest, { value, origin }: CacheKeyParts): string {
  return JSON.stringify([request.routeOptions.url, value, origin]);
}
