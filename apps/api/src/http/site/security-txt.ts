import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CACHE_FOR_AN_HOUR } from '../cache/response-cache.ts';

/** How long the file is valid, in milliseconds; each request gets a new date. */
const VALIDITY = 180 * 86_400_000;

/**
 * Serves security.txt (RFC 9116): where to report a vulnerability of this registry.
 * @param contact a `mailto:` or `https:` address
 */
export function registerSecurityTxt(
  app: FastifyInstance,
  { contact, toOrigin }: { contact: string; toOrigin: (request: FastifyRequest) => string },
): void {
  const path = '/.well-known/security.txt';
  app.get(path, { config: { rateLimit: false } }, (request, reply) => {
    const expires = new Date(Date.now() + VALIDITY).toISOString().replace(/T.*/, 'T00:00:00Z');
    return reply
      .header('Cache-Control', CACHE_FOR_AN_HOUR)
      .type('text/plain; charset=utf-8')
      .send(
        `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${toOrigin(request)}${path}\n`,
      );
  });
}
