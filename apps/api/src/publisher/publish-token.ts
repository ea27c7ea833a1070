import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { KeyPlace } from '../website-check/domain-keys.ts';

/** How long a token can be used, in milliseconds. */
const LIFETIME = 600_000;

/** Who publishes: a domain, and where its key was read. */
export type Publisher = { domain: string; place: KeyPlace };

const payloadSchema = z.strictObject({ domain: z.string(), place: z.enum(['http', 'dns']), end: z.int() });

/** Creates and reads tokens of publishers. They are not stored: all processes share the secret. */
export type PublishTokens = ReturnType<typeof createPublishTokens>;

/**
 * Creates the tokens of a registry.
 * @param secret known only to the processes of this registry
 * @param origin where visitors reach it; a token of another origin does not count
 * @param now milliseconds since 1970
 */
export function createPublishTokens(secret: Uint8Array, origin: string, now: () => number = () => Date.now()) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `publish token ${origin}`, 32));
  const sign = (payload: string) => createHmac('sha256', key).update(payload).digest();
  return {
    /** Creates a token, and its end in seconds. */
    create(publisher: Publisher): { token: string; end: number } {
      const end = Math.floor((now() + LIFETIME) / 1_000);
      const payload = Buffer.from(JSON.stringify({ ...publisher, end })).toString('base64url');
      return { token: `${payload}.${sign(payload).toString('base64url')}`, end };
    },
    /** Reads a token; undefined for one that is not of this registry, or has ended. */
    read(token: string): Publisher | undefined {
      const [, payload = '', code = ''] = /^([\w-]{1,1000})\.([\w-]{43})$/.exec(token) ?? [];
      if (code === '' || !timingSafeEqual(Buffer.from(code, 'base64url'), sign(payload))) return undefined;
      const { end, ...publisher } = payloadSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
      return end * 1_000 > now() ? publisher : undefined;
    },
  };
}
