import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Kysely } from 'kysely';
import { hasCome } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { networkOf } from '../rate-limit/rate-limiter.ts';
import { RegistryError } from '../registry-error.ts';
import { countWithin } from '../website-check/count-check.ts';
import { findSigner, toDomain, type KeyPlace, type ReadDomainKeys } from '../website-check/domain-keys.ts';
import type { PublishTokens } from './publish-token.ts';

/** How far a clock may be off, in milliseconds. */
const TOLERANCE = 15_000;
/** How long a login is remembered, in milliseconds: longer than it counts, whatever the clocks of processes say. */
const REMEMBERED = 60_000;
const HOUR = 3_600_000;
/** Logins for which domains are asked within an hour: of one client, and of all. */
const [MAX_OF_CLIENT, MAX_OF_ALL] = [60, 600];

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** A login: a time that was signed with the key of a domain. */
const loginSchema = z.object({
  domain: z.string('domain must be text'),
  timestamp: z.string('timestamp must be text').regex(RFC_3339, 'timestamp must be a time by RFC 3339'),
  signed_timestamp: z
    .string('signed_timestamp must be text')
    .regex(/^(?:[\da-f]{2}){64,96}$/i, 'signed_timestamp must be a signature in hexadecimal digits'),
});

export type LoginOptions = {
  db: Kysely<Tables>;
  tokens: PublishTokens;
  readDomainKeys: ReadDomainKeys;
  rateLimitStore: RateLimitStore;
  now: () => number;
};

/**
 * Exchanges a signed time for a token.
 * @throws {RegistryError} `unauthorized` if the time is not signed with a key of the domain, or was used before
 */
export async function logIn(
  body: unknown,
  { place, address, userAgent }: { place: KeyPlace; address: string; userAgent: string },
  { db, tokens, readDomainKeys, rateLimitStore, now }: LoginOptions,
): Promise<{ registry_token: string; expires_at: number }> {
  const { data, error } = loginSchema.safeParse(body);
  if (error) throw refuse(error.issues.map(({ message }) => message).join('; '));
  const { timestamp, signed_timestamp: signature } = data;
  const domain = toDomain(data.domain);
  if (domain === undefined) throw refuse('domain must be a public name with a dot, such as example.com');
  const instant = Date.parse(timestamp.toUpperCase());
  if (!(Math.abs(instant - now()) <= TOLERANCE)) {
    throw refuse(`timestamp must be within 15 seconds of ${new Date(now()).toISOString()}: set your clock`);
  }
  const count = () => countLogin(rateLimitStore, networkOf(address));
  const { text: key } = findSigner(await readDomainKeys(place, domain, { userAgent, count }), timestamp, signature);
  // Not of the signature, which others can write in another way.
  await takeLogin(db, hash('sha256', JSON.stringify([domain, key, instant])), now());
  const { token, end } = tokens.create({ domain, place });
  return { registry_token: token, expires_at: end };
}

function refuse(detail: string): RegistryError {
  return new RegistryError('unauthorized', detail);
}

/** The limit of the client first, so that no client uses up that of all. */
function countLogin(store: RateLimitStore, client: string): Promise<void> {
  const toLimit = (key: string, limit: number, who: string) => {
    const counted = `${who} sent logins of ${limit} domains within an hour`;
    return { key, limit, window: HOUR, counted };
  };
  return countWithin(store, [
    toLimit(`login client ${client}`, MAX_OF_CLIENT, 'Your address'),
    toLimit('login all', MAX_OF_ALL, 'All clients together'),
  ]);
}

/** Takes a login once, in all processes. */
async function takeLogin(db: Kysely<Tables>, id: string, now: number): Promise<void> {
  const toTime = (time: number) => new Date(time).toISOString();
  await db
    .deleteFrom('publisher_logins')
    .where(hasCome('forgotten_at', now, 2 * REMEMBERED))
    .execute();
  const taken = await db
    .insertInto('publisher_logins')
    .values({ id, forgotten_at: toTime(now + REMEMBERED) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!taken) throw refuse('This login was used before. Log in again');
}
