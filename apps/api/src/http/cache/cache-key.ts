import type { IncomingMessage } from 'node:http';
import type { IsTrusted } from '../plugins/trust-proxy.ts';

/** What the answers of an application depend on: see cors.ts, hardening.ts and origin.ts. */
export type VariantOptions = {
  corsOrigins: readonly string[];
  publicUrl: string | undefined;
  isTrusted: IsTrusted;
};

/**
 * Tells what of a request besides its address makes another answer. The parts stand on lines of their own, since no address
 * and no header has a line break in it, so that no caller can write one part that reads as two.
 */
export function createCacheKeyVariant({ corsOrigins, publicUrl, isTrusted }: VariantOptions) {
  return ({ headers, socket }: IncomingMessage): string => {
    const { origin = '', host } = headers;
    const listed = corsOrigins.includes(origin) ? origin : '';
    const own = publicUrl === undefined ? host : '';
    if (!isTrusted(socket.remoteAddress ?? '', 0)) return `\n${listed}\n${own}`;
    return ['', listed, own, headers['x-forwarded-host'], headers['x-forwarded-proto']].join('\n');
  };
}
