import type { FastifyRequest } from 'fastify';

// A host name or address, and a port. URLs allow more characters there, some of which have a meaning in XML.
const HOST = /^(?:[\w.-]+|\[[\d.:a-f]+\])(?::\d+)?$/i;

/** The origin of a request, such as `https://registry.example`, from `Host` or from a trusted proxy's headers. */
export function originOf({ protocol, host }: FastifyRequest): string {
  const url = `${protocol}://${host}`;
  return /^https?$/.test(protocol) && HOST.test(host) && URL.canParse(url) ? new URL(url).origin : 'http://localhost';
}
