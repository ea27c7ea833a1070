import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

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
  const headers = readHeaders(
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
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('Permissions-Policy', PERMISSIONS_POLICY);
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
