import { CORRECTION_HEADER, IDEMPOTENCY_KEY_HEADER, TOTAL_HEADER } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { REQUEST_ID_HEADER } from './request-id.ts';

/** The headers of answers that pages of other origins may read besides those that every page may. */
const EXPOSED_HEADERS = `ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, ${CORRECTION_HEADER}, ${REQUEST_ID_HEADER}, ${TOTAL_HEADER}`;
/** For how long a browser may keep the answer to a preflight, in seconds; none keeps it longer. */
const PREFLIGHT_LIFETIME = 7_200;

const READ_METHODS = ['GET', 'HEAD'];
const READ_HEADERS = 'Accept, If-None-Match';

/**
 * Tells browsers which pages of other origins may call: any page may read, those of the origins given may register too,
 * all of them without credentials.
 * @param origins such as `https://app.example`
 */
export function registerCors(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-method': asked } = request.headers;
    const isPreflight = request.method === 'OPTIONS' && origin !== undefined && asked !== undefined;
    const isListed = origin !== undefined && origins.includes(origin);
    if (isListed || READ_METHODS.includes(isPreflight ? asked : request.method)) {
      reply.header('access-control-allow-origin', isListed ? origin : '*');
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      if (isPreflight) {
        reply.header('Access-Control-Allow-Methods', isListed ? 'GET, HEAD, POST' : READ_METHODS.join(', '));
        // A browser that may send Content-Type after the preflight of a GET would send a POST without asking again.
        const headers = isListed ? `${READ_HEADERS}, Content-Type, ${IDEMPOTENCY_KEY_HEADER}` : READ_HEADERS;
        reply.header('Access-Control-Allow-Headers', headers);
        reply.header('Access-Control-Max-Age', PREFLIGHT_LIFETIME);
      }
    }
    if (isPreflight) reply.code(204).send();
    else done();
  });

  if (origins.length === 0) return;
  app.addHook('onSend', async (_request, reply, payload) => {
    // The answers of tRPC are Response objects, whose headers win over those of the reply.
    if (payload instanceof Response) payload.headers.append('Vary', 'Origin');
    else if (!/\bOrigin\b/.test(String(reply.getHeader('Vary')))) {
      reply.header('Vary', [reply.getHeader('Vary'), 'Origin'].filter(Boolean).join(', '));
    }
  });
}
