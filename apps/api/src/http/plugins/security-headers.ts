import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** For a year, and for this host alone, since others of its domain are not ours to promise for. */
const TLS_PROMISE = 'max-age=31536000';

/**
 * Gives every answer the headers that bound what a browser does with it.
 * @param page the HTML of the site; the scripts written in it are the only ones within a page that may run
 */
export function registerSecurityHeaders(app: FastifyInstance, page: string): void {
  const headers = readHeaders(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'", ...hashInlineScripts(page)],
          // Mantine writes styles into the page.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:'],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      frameguard: { action: 'deny' },
      // Nothing for other sites; our own forms tell by it where they come from.
      referrerPolicy: { policy: 'same-origin' },
      strictTransportSecurity: false,
    }),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    // Promised only where it is kept: to who has come by TLS, as a trusted proxy says.
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', TLS_PROMISE);
    done();
  });
}

/** The headers that helmet gives an answer, which are the same for all: it would write its policy anew for each. */
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
