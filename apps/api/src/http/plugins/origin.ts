import type { FastifyRequest } from 'fastify';

// A host name or address, and a port. URLs allow more characters there, some of which have a meaning in XML.
const HOST = /^(?:[\w.-]+|\[[\d.:a-f]+\])(?::\d+)?$/i;

/** Whether a text is a host name or address, with or without a port. */
export function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`http://${text}`);
}

/** The origin of a request, such as `https://registry.example`, from `Host` or from a trusted proxy's headers. */
export function originOf({ protocol, host }: FastifyRequest): string {
  return /^https?$/.test(protocol) && isHost(host) ? new URL(`${protocol}://${host}`).origin : 'http://localhost';
}
