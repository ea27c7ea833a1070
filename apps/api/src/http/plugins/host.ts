import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { RefusalError } from '../../http-error.ts';

/** The header with the id of a request, for finding it in the logs of the registry and of its proxies. */
export const REQUEST_ID_HEADER = 'x-request-id';

// The ids of tracing systems; nothing that could break a log line.
const SANE_ID = /^[\w.-]{8,64}$/;

// A host name or address, and a port. URLs allow more characters there, some of which have a meaning in XML.
const HOST = /^(?:[\w.-]+|\[[\d.:a-f]+\])(?::\d+)?$/i;

const PROTOCOL_HEADER = 'x-forwarded-proto';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/is;

/** Routes absolute-form targets by their path, and refuses a Host that is missing, repeated or invalid with 400. */
export function registerHost(app: FastifyInstance): void {
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
    done(detail ? new RefusalError({ status: 400, detail }) : undefined);
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

/** Adds the request id to every response. */
export function registerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
}
