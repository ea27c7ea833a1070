import type { FastifyRequest } from 'fastify';

// A name or an address, and a port. A URL may have other characters there too, some of which mean something in XML.
const HOST = /^(?:[\w.-]+|\[[\d.:a-f]+\])(?::\d+)?$/i;

/** Where a request was sent to, such as `https://registry.example`: as it says itself, or a trusted proxy. */
export function originOf({ protocol, host }: FastifyRequest): string {
  const url = `${protocol}://${host}`;
  return /^https?$/.test(protocol) && HOST.test(host) && URL.canParse(url) ? new URL(url).origin : 'http://localhost';
}
