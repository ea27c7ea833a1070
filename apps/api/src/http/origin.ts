import type { FastifyRequest } from 'fastify';

/** Where a request was sent to, such as `https://registry.example`: as it says itself, or a trusted proxy. */
export function originOf({ protocol, host }: FastifyRequest): string {
  const url = `${protocol}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : 'http://localhost';
}
