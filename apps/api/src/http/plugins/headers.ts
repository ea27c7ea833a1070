import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
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
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { RefusalError } from '../../http-error.ts';
import type { Connections } from './connection.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What pages of any origin may send to a route; reads by default. */
    cors?: CorsRule;
  }
}

type CorsRule = { methods: readonly string[]; headers: string };

/** The header with the id of a request, for finding it in the logs of the registry and of its proxies. */
export const REQUEST_ID_HEADER = 'x-request-id';
// The ids of tracing systems; nothing that could break a log line.
const SANE_ID = /^[\w.-]{8,64}$/;
// A host name or address, and a port. URLs allow more characters there, some of which have a meaning in XML.
const HOST = /^(?:[\w.-]+|\[[\d.:a-f]+\])(?::\d+)?$/i;
const PROTOCOL_HEADER = 'x-forwarded-proto';
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/is;
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
/** The longest header that is parsed, in characters: the time grows with its entries, and browsers send about 200. */
const MAX_HEADER_LENGTH = 500;
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

export const SECURITY_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': PERMISSIONS.map((feature) => `${feature}=()`).join(', '),
  // Nothing for other sites; our own form handler checks the origin of a form.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
};

/** Routes absolute-form targets by their path, and refuses a Host that is missing, repeated or invalid with 400. */
export function registerHost(app: FastifyInstance, { refused }: Pick<Connections, 'refused'>): void {
  app.server.prependListener('request', (request: IncomingMessage) => {
    const protocol = request.headers[PROTOCOL_HEADER];
    // The first one is what the client used; each proxy adds its own, some in capitals.
    if (typeof protocol === 'string') request.headers[PROTOCOL_HEADER] = protocol.split(',')[0]?.trim().toLowerCase();
    const [, host, path = ''] = ABSOLUTE_FORM.exec(request.url ?? '') ?? [];
    if (host === undefined) return;
    // RFC 9112, 3.2.2: the host of the target replaces that of the header.
    request.headers.host = host;
    request.url = path.startsWith('/') ? path : `/${path}`;
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const detail = findHostError(request.raw);
    const error = refused.get(request.raw) ?? (detail ? { status: 400, detail } : undefined);
    done(error && new RefusalError(error));
  });
}

function findHostError({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === '1.1' ? 'The request has no Host header' : undefined;
  const isHostName = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host';
  if (rawHeaders.findIndex(isHostName) !== rawHeaders.findLastIndex(isHostName)) {
    return 'The request has more than one Host header';
  }
  return origins.memo(`http://${host}`) === '' ? 'The Host header is not a valid host' : undefined;
}

/** The origins of the latest protocols and hosts; empty for a text that is no host name or address with or without a port. */
const origins = new LRUCache<string, string>({
  max: 100,
  memoMethod: (text) => {
    const isValid = HOST.test(text.replace(/^https?:\/\//, '')) && URL.canParse(text);
    return isValid ? new URL(text).origin : '';
  },
});

/** The origin of a request, such as `https://registry.example`, by its `Host`. */
export function originOf({ protocol, headers: { host = '' } }: FastifyRequest): string {
  return origins.memo(`${protocol}://${host}`) || 'http://localhost';
}

/** The id that the client or a proxy has set, if it is sane; a new one otherwise. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}

export function registerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
}

/** Parses a header with the preferences of a client; undefined if the header is missing, empty or too long. */
export function negotiate(
  request: Pick<IncomingMessage, 'headers'>,
  header: 'accept' | 'accept-encoding',
): Negotiator | undefined {
  const { [header]: text = '' } = request.headers;
  return text !== '' && text.length <= MAX_HEADER_LENGTH ? new Negotiator(request) : undefined;
}

/** Whether a client names one of these media types and prefers it to another type. Wildcards such as `text/*` name none. */
export function prefersType(request: IncomingMessage, types: readonly string[], other: string): boolean {
  const negotiator = negotiate(request, 'accept');
  if (!negotiator) return false;
  const preferred = negotiator.mediaType([other, ...types]);
  const isNamed = negotiator.mediaTypes().some((name) => types.includes(name.toLowerCase()));
  return isNamed && preferred !== undefined && types.includes(preferred);
}

export function prefersMarkdown(request: IncomingMessage): boolean {
  return prefersType(request, ['text/markdown', MARKDOWN_TYPE], 'text/html');
}

/** Adds the security headers; the inline scripts of the page are the only ones that the policy allows. */
export function registerSecurityHeaders(app: FastifyInstance, page: string): void {
  const scripts = Array.from(page.matchAll(/<script>(.*?)<\/script>/gs), ([, script = '']) => {
    return ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
  const policy = [
    "default-src 'self'",
    `script-src 'self'${scripts.join('')}`,
    // Mantine writes inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  const headers = { ...SECURITY_HEADERS, 'Content-Security-Policy': policy.join(';') };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    // Only for requests that came by TLS, according to a trusted proxy.
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', HSTS);
    done();
  });
}

/** Lets pages of any origin read, pages of the listed origins write too, all without credentials. */
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
