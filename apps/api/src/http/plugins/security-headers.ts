import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import {
  CORRECTION_HEADER,
  FULL_MATCHES_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  MANAGEMENT_KEY_HEADER,
  MATCHED_WORDS_HEADER,
  POSITION_HEADER,
  REFUSAL_HEADER,
  TOTAL_BOUND_HEADER,
  TOTAL_HEADER,
  UNDERSTOOD_HEADER,
} from '@agent-registry/contracts';
import { REQUEST_ID_HEADER } from './host.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What pages of any origin may send to a route; reads by default. */
    cors?: CorsRule;
  }
}

/** The methods that pages may send, and the header names, as a preflight lists them. */
type CorsRule = { methods: readonly string[]; headers: string };

/** The response headers that pages of other origins may read, besides the CORS-safelisted ones. */
const EXPOSED_HEADERS = `ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, ${CORRECTION_HEADER}, ${FULL_MATCHES_HEADER}, ${MATCHED_WORDS_HEADER}, ${POSITION_HEADER}, ${REFUSAL_HEADER}, ${REQUEST_ID_HEADER}, ${TOTAL_BOUND_HEADER}, ${TOTAL_HEADER}, ${UNDERSTOOD_HEADER}`;
/** How long browsers cache a preflight, in seconds; Chromium caps it at this value. */
const PREFLIGHT_LIFETIME = 7_200;

const READS: CorsRule = { methods: ['GET', 'HEAD'], headers: 'Accept, If-None-Match' };
const ALL: CorsRule = {
  methods: [...READS.methods, 'POST', 'PATCH', 'DELETE'],
  headers: `${READS.headers}, Authorization, Content-Type, ${IDEMPOTENCY_KEY_HEADER}, If-Match, ${MANAGEMENT_KEY_HEADER}`,
};

/** A year, without subdomains: other servers of the domain may have no TLS. */
const HSTS = 'max-age=31536000';

/** Features of browsers that no page uses, so that no embedded content can. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'];
const PERMISSIONS_POLICY = PERMISSIONS.map((feature) => `${feature}=()`).join(', ');

/**
 * Adds the security headers to every response.
 * @param page the HTML template of the site; its inline scripts are the only ones that the policy allows
 */
export function registerSecurityHeaders(app: FastifyInstance, page: string): void {
  const ofHelmet = readHeaders(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'", ...hashInlineScripts(page)],
          // Mantine writes inline styles.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:'],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      frameguard: { action: 'deny' },
      // Nothing for other sites; our own form handler checks the origin of a form.
      referrerPolicy: { policy: 'same-origin' },
      strictTransportSecurity: false,
    }),
  );
  const headers = { ...ofHelmet, 'permissions-policy': PERMISSIONS_POLICY };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    // Only for requests that came by TLS, according to a trusted proxy.
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', HSTS);
    done();
  });
}

/** Helmet's headers, read once: it would build the same policy for each response. */
function readHeaders(harden: ReturnType<typeof helmet>): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  harden(request, response, (error) => {
    if (error) throw error;
  });
  return { ...response.getHeaders() };
}

function hashInlineScripts(page: string): string[] {
  return [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
}

/**
 * Adds CORS headers: pages of any origin may read, pages of the listed origins may write too, all without
 * credentials.
 * @param origins such as `https://app.example`
 */
export function registerCors(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-method': asked } = request.headers;
    const isPreflight = request.method === 'OPTIONS' && origin !== undefined && asked !== undefined;
    const isListed = origin !== undefined && origins.includes(origin);
    const { cors } = request.routeOptions.config;
    const { methods, headers } = cors ?? (isListed ? ALL : READS);
    if (isListed || methods.includes(isPreflight ? asked : request.method)) {
      reply.header('access-control-allow-origin', isListed ? origin : '*');
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      if (isPreflight) {
        reply.header('Access-Control-Allow-Methods', methods.join(', '));
        // Browsers cache allowed headers for all methods: Content-Type would let other origins send a POST.
        reply.header('Access-Control-Allow-Headers', headers);
        reply.header('Access-Control-Max-Age', PREFLIGHT_LIFETIME);
      }
    }
    if (isPreflight) reply.code(204).send();
    else done();
  });

  if (origins.length === 0) return;
  app.addHook('onSend', async (_request, reply, payload) => {
    // tRPC sends Response objects, whose headers replace those of the reply.
    if (payload instanceof Response) payload.headers.append('Vary', 'Origin');
    else if (!/\bOrigin\b/.test(String(reply.getHeader('Vary')))) {
      reply.header('Vary', [reply.getHeader('Vary'), 'Origin'].filter(Boolean).join(', '));
    }
  });
}
