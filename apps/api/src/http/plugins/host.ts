import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { RefusalError } from '../../http-error.ts';
import { isHost } from './origin.ts';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/is;

/** Routes absolute-form targets by their path, and refuses a Host that is missing, repeated or invalid with 400. */
export function registerHost(app: FastifyInstance): void {
  app.server.prependListener('request', (request: IncomingMessage) => {
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

function findHostError({ headers: { host }, headersDistinct, httpVersion }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === '1.1' ? 'The request has no Host header' : undefined;
  if ((headersDistinct['host']?.length ?? 0) > 1) return 'The request has more than one Host header';
  return isHost(host) ? undefined : 'The Host header is not a valid host';
}
