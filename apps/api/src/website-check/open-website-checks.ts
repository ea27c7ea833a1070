import type { Engine } from '../db/engine.ts';
import { createWebsiteCheck } from './check-website.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createChallenges } from './website-challenge.ts';
import type { WebsiteClaimsOptions } from './website-claims.ts';

/** Opens the checks of websites with the secret of the database, which all processes share. */
export async function openWebsiteChecks(
  { db }: Engine,
  fetch = createGuardedFetch(),
): Promise<Pick<WebsiteClaimsOptions, 'challenges' | 'checkWebsite'>> {
  const { value } = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', 'website-challenges')
    .executeTakeFirstOrThrow();
  return { challenges: createChallenges(Buffer.from(value, 'base64url')), checkWebsite: createWebsiteCheck(fetch) };
}
