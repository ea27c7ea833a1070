import { FILTER_PARAMETERS, splitFilter } from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';

/** The parts of a request that its response depends on. */
export type CacheKeyOptions = {
  /** The names of the query parameters that the route reads; all others are ignored. */
  query: readonly string[];
  /** Whether the response depends on the path parameters; true by default. */
  usesPath?: boolean | undefined;
  /** The origin, where the body names it. */
  origin?: string | undefined;
};

/**
 * Builds the canonical cache key of a request: the route, its path parameters and its known query parameters in a fixed
 * order. Unknown parameters neither make another entry nor evict one.
 */
export function cacheKey(request: FastifyRequest, { query, usesPath = true, origin }: CacheKeyOptions): string {
  return JSON.stringify([request.routeOptions.url, usesPath && request.params, pickQuery(request, query), origin]);
}

/** The path of a request with its known query parameters only, in a fixed order. */
export function canonicalUrl(request: FastifyRequest, query: readonly string[]): string {
  const [path = '/'] = request.url.split('?', 1);
  const known = new URLSearchParams(
    pickQuery(request, query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return known.size > 0 ? `${path}?${known.toString()}` : path;
}

/**
 * The known query parameters of a request, as name and value; a repeated parameter has a list of values. The values of a
 * filter are joined by commas in a fixed order.
 */
export function pickQuery(request: FastifyRequest, names: readonly string[]): [name: string, value: unknown][] {
  const query = request.query as Record<string, string | string[] | undefined>;
  return names.flatMap((name) => {
    const value = query[name];
    if (value === undefined) return [];
    return [[name, FILTER_PARAMETERS.some((filter) => filter === name) ? splitFilter(value).join(',') : value]];
  });
}
