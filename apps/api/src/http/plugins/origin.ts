import type { FastifyRequest } from 'fastify';

// A host name or address, and a port. URLs allow more characters there, some of which have a meaning in XML.
const HOST = /^(?:[\w.-]+|\[[\d.:a-f]+\])(?::\d+)?$/i;

/** Whether a text is a host name or address, with or without a port. */
export function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`http://${text}`);
}

/**
 * The origin of a request, such as `https://registry.example`. The host is that of `Host`; with `trustForwardedHost`, a
 * trusted proxy's `X-Forwarded-Host` replaces it. Many proxies pass that header on as the client sent it.
 */
export function originOf(request: FastifyRequest, { trustForwardedHost }: { trustForwardedHost: boolean }): string {
  const { protocol, headers } = request;
  const host = trustForwardedHost ? request.host : (headers.host ?? '');
  return /^https?$/.test(protocol) && isHost(host) ? new URL(`${protocol}://${host}`).origin : 'http://localhost';
}
