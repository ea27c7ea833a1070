import type { Engine } from '../db/engine.ts';
import { createFileReader, type ReadFile } from '../website-files/read-file.ts';
import { createWebsiteCheck } from './check-website.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { createChallenges } from './website-challenge.ts';
import type { WebsiteClaimsOptions } from './website-claims.ts';

/** How websites are read and checked. */
export type Websites = Pick<WebsiteClaimsOptions, 'challenges' | 'checkWebsite'> & {
  fetch: GuardedFetch;
  readFile: ReadFile;
};

/** Opens the checks of websites with the secret of the database, which all processes share. */
export async function openWebsiteChecks(
  { db }: Engine,
  {
    fetch = createGuardedFetch(),
    readFile = createFileReader(),
    sharedHosts,
  }: Partial<Parameters<typeof createWebsiteCheck>[0]> = {},
): Promise<Websites> {
  const { value } = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', 'website-challenges')
    .executeTakeFirstOrThrow();
  const challenges = createChallenges(Buffer.from(value, 'base64url'));
  return { challenges, checkWebsite: createWebsiteCheck({ fetch, readFile, sharedHosts }), fetch, readFile };
}
