import { hash, hkdfSync } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { hasCome } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { networkOf } from '../rate-limit/rate-limiter.ts';
import { RegistryError } from '../registry-error.ts';
import { countWithin } from '../website-check/count-check.ts';
import {
  findSigner,
  toDomain,
  type KeyPlace,
  type Publisher,
  type ReadDomainKeys,
} from '../website-check/domain-keys.ts';
import { createChallenges } from '../website-check/website-challenge.ts';

/** How long a token can be used, in milliseconds. */
const LIFETIME = 600_000;
/** How far a clock may be off, in milliseconds. */
const TOLERANCE = 15_000;
/** How long a login is remembered, in milliseconds: longer than it counts, whatever the clocks of processes say. */
const REMEMBERED = 60_000;
const HOUR = 3_600_000;
/** Logins for which domains are asked within an hour: of one client, and of all. */
const [MAX_OF_CLIENT, MAX_OF_ALL] = [60, 600];

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
const SIGNATURE = /^(?:[\da-f]{2}){64,96}$/i;

const loginSchema = z.object({
  domain: z
    .string('domain must be text')
    .transform(toDomain)
    .pipe(z.string('domain must be a public name with a dot, such as example.com')),
  timestamp: z.string('timestamp must be text').regex(RFC_3339, 'timestamp must be a time by RFC 3339'),
  signed_timestamp: z
    .string('signed_timestamp must be text')
    .regex(SIGNATURE, 'signed_timestamp must be a signature in hexadecimal digits'),
});

/** Creates and reads tokens of publishers. They are not stored: all processes share the secret. */
export type PublishTokens = ReturnType<typeof createPublishTokens>;

/**
 * @param secret known only to the processes of this registry
 * @param origin where visitors reach it; a token of another origin does not count
 */
export function createPublishTokens(secret: Uint8Array, origin: string, now?: () => number) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `publish token ${origin}`, 32));
  const challenges = createChallenges(key, now, LIFETIME);
  return {
    create({ domain, place }: Publisher): { token: string; expiresAt: string } {
      const { challenge, expiresAt } = challenges.create(`${place} ${domain}`);
      return { token: [place, domain, challenge].join('~'), expiresAt };
    },
    /** Reads a token; undefined for one that is not of this registry, or has ended. */
    read(token: string): Publisher | undefined {
      const [place = '', domain = '', challenge = ''] = token.split('~');
      return challenges.accepts(challenge, `${place} ${domain}`) ? { place: place as KeyPlace, domain } : undefined;
    },
  };
}

export type LoginOptions = {
  db: Kysely<Tables>;
  tokens: PublishTokens;
  readDomainKeys: ReadDomainKeys;
  rateLimitStore: RateLimitStore;
};

/**
 * Exchanges a signed time for a token.
 * @throws {RegistryError} `unauthorized` if the time is not signed with a key of the domain, or was used before
 */
export async function logIn(
  body: unknown,
  { place, address, userAgent }: { place: KeyPlace; address: string; userAgent: string },
  { db, tokens, readDomainKeys, rateLimitStore }: LoginOptions,
): Promise<{ registry_token: string; expires_at: number }> {
  const { data, error } = loginSchema.safeParse(body);
  if (error) throw refuse(error.issues.map(({ message }) => message).join('; '));
  const { domain, timestamp, signed_timestamp: signature } = data;
  const now = Date.now();
  const instant = Date.parse(timestamp.toUpperCase());
  if (!(Math.abs(instant - now) <= TOLERANCE)) {
    throw refuse(`timestamp must be within 15 seconds of ${new Date(now).toISOString()}: set your clock`);
  }
  const publisher = { domain, place };
  const keys = await readDomainKeys(publisher, { userAgent, count: () => countLogin(rateLimitStore, address) });
  const { text: key } = findSigner(keys, timestamp, signature);
  // Not of the signature, which others can write in another way.
  await takeLogin(db, hash('sha256', JSON.stringify([domain, key, instant])), now);
  const { token, expiresAt } = tokens.create(publisher);
  return { registry_token: token, expires_at: Date.parse(expiresAt) / 1_000 };
}

function refuse(detail: string): RegistryError {
  return new RegistryError('unauthorized', detail);
}

/** The limit of the client first, so that no client uses up that of all. */
function countLogin(store: RateLimitStore, address: string): Promise<void> {
  const toLimit = (key: string, limit: number, who: string) => {
    return { key, limit, window: HOUR, counted: `${who} sent logins of ${limit} domains within an hour` };
  };
  return countWithin(store, [
    toLimit(`login client ${networkOf(address)}`, MAX_OF_CLIENT, 'Your address'),
    toLimit('login all', MAX_OF_ALL, 'All clients together'),
  ]);
}

/** Takes a login once, in all processes. */
async function takeLogin(db: Kysely<Tables>, id: string, now: number): Promise<void> {
  await db
    .deleteFrom('publisher_logins')
    .where(hasCome('forgotten_at', now, 2 * REMEMBERED))
    .execute();
  const taken = await db
    .insertInto('publisher_logins')
    .values({ id, forgotten_at: new Date(now + REMEMBERED).toISOString() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!taken) throw refuse('This login was used before. Log in again');
}
