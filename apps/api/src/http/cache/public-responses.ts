import type { FastifyInstance } from 'fastify';
import { REQUEST_ID_HEADER } from '../plugins/host.ts';
import { REVALIDATE } from './send-entry.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the response names the host of the request, which anybody may invent. */
    namesHost: boolean;
  }
}

/** Headers of a response that are about one client or request. */
const OWN_HEADERS = ['ratelimit', 'ratelimit-policy', REQUEST_ID_HEADER];

/**
 * Decides for all public responses what shared caches may keep: no body with the host of a request, and no header of a
 * client.
 * @param seconds for which shared caches may serve a response, and as long again while they revalidate it; 0 for not at all
 */
export function registerPublicResponses(app: FastifyInstance, seconds: number): void {
  // `must-revalidate` is for browsers, which would serve old responses, too.
  const shared = `${REVALIDATE}, s-maxage=${seconds}, stale-while-revalidate=${seconds}`;
  app.decorateRequest('namesHost', false);
  app.addHook('onSend', async (request, reply) => {
    const control = String(reply.getHeader('cache-control'));
    if (!control.startsWith('public')) return;
    if (request.namesHost) {
      reply.header('cache-control', control.replace('public', 'private'));
      return;
    }
    if (control.startsWith(REVALIDATE)) {
      if (seconds === 0) return;
      reply.header('cache-control', control.replace(REVALIDATE, shared));
    }
    for (const name of OWN_HEADERS) reply.removeHeader(name);
  });
}
