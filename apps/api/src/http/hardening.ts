import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** For a year, and for this host alone, since others of its domain are not ours to promise for. */
const TLS_PROMISE = 'max-age=31536000';

/**
 * Gives every answer the headers that bound what a browser does with it.
 * @param page the HTML of the site; the scripts written in it are the only ones within a page that may run
 */
export async function registerHardening(app: FastifyInstance, page: string): Promise<void> {
  await app.register(helmet, {
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
  });
  // Promised only where it is kept: to who has come by TLS, as a trusted proxy says.
  app.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', TLS_PROMISE);
  });
}

function hashInlineScripts(page: string): string[] {
  return [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
}
