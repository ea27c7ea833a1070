import {
  CHALLENGE_PATH,
  findRepository,
  isSharedHost,
  type Repository,
  type WebsiteProof,
} from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { isPage } from '../website-files/is-page.ts';
import { createFileReader, type ReadFile } from '../website-files/read-file.ts';
import { createDomainKeyReader } from './domain-keys.ts';
import { createGuardedFetch, RedirectError, type GuardedFetch, type WebsiteResponse } from './guarded-fetch.ts';
import { createChallenges } from './website-challenge.ts';

/** How long a check may take, in milliseconds. */
const CHECK_TIMEOUT = 5_000;
const MAX_LINES = 1_000;
/** The most bytes of the file of a repository that are read. */
const MAX_REPOSITORY_FILE = 4_096;
/** The statuses of services for a file or repository that is not there. */
const MISSING = new Set([401, 404, 410]);

/** What the challenge proves, or why nothing; `unreachable` has no details, so that strangers cannot explore networks. */
export type WebsiteCheckResult = WebsiteProof | 'missing' | 'redirected' | 'unreachable';

export type CheckWebsite = (check: {
  website: string;
  /** The page that explains the request; it is named in `User-Agent`. */
  explainedAt: string;
  accepts: (text: string) => boolean;
}) => Promise<WebsiteCheckResult>;

/** The check fetches the challenge file and then the listed page; of a repository it fetches its file only. */
export function createWebsiteCheck(
  { fetch, readFile, sharedHosts }: { fetch: GuardedFetch; readFile: ReadFile; sharedHosts?: readonly string[] },
  timeout: number = CHECK_TIMEOUT,
): CheckWebsite {
  return async function checkWebsite({ website, explainedAt, accepts }) {
    const options = { userAgent: `AgentRegistry (+${explainedAt})`, signal: AbortSignal.timeout(timeout) };
    const repository = findRepository(website);
    if (repository) return checkRepository(repository, accepts, options);
    const page = new URL(website);
    const failures: WebsiteCheckResult[] = [];
    const sources = [
      {
        url: new URL(CHALLENGE_PATH, page),
        readTexts: readLines,
        proof: isSharedHost(page.hostname, sharedHosts) ? 'page' : 'host',
      },
      { url: page, readTexts: readChallenges, proof: 'page' },
    ] as const;
    for (const { url, readTexts, proof } of sources) {
      try {
        const response = await fetch(url, options);
        if (response.status === 200 && (await readTexts(response, url)).some(accepts)) return proof;
        failures.push('missing');
      } catch (error) {
        failures.push(error instanceof RedirectError ? 'redirected' : 'unreachable');
      }
    }
    return failures.find((failure) => failure === 'missing') ?? failures[0] ?? 'missing';
  };

  async function checkRepository(
    { file }: Repository,
    accepts: (text: string) => boolean,
    options: Pick<Parameters<GuardedFetch>[1], 'userAgent' | 'signal'>,
  ): Promise<WebsiteCheckResult> {
    try {
      const limits = { maxSize: MAX_REPOSITORY_FILE, redirect: 'return' } as const;
      const response = await fetch(new URL(file), { ...options, ...limits });
      const { status, type, text, isChallenge } = response;
      if (status >= 300 && status < 400) return 'redirected';
      if (MISSING.has(status)) return 'missing';
      // A page, such as one of a protection against bots, stands in place of the file.
      if (status !== 200 || isChallenge || type === 'text/html' || isPage(text)) return 'unreachable';
      return readLines(response).some(accepts) ? 'repository' : 'missing';
    } catch {
      return 'unreachable';
    }
  }

  /** The challenges in the head of a page; none from a page that cannot be read. */
  function readChallenges({ type, text }: WebsiteResponse, url: URL): Promise<string[]> {
    return readFile('challenges', { type, text, url: url.href }).catch(() => []);
  }
}

/** The lines of a file. A page in its place has none: visitors of the website may write in it. */
function readLines({ text }: WebsiteResponse): string[] {
  return isPage(text) ? [] : text.split('\n', MAX_LINES).map((line) => line.trim());
}

export type Websites = Awaited<ReturnType<typeof openWebsiteChecks>>;

/** Opens the checks of websites with the secret of the database, which all processes share. */
export async function openWebsiteChecks(
  { db }: Engine,
  {
    fetch = createGuardedFetch(),
    readFile = createFileReader(),
    sharedHosts = [],
    nameServers,
  }: Partial<Parameters<typeof createWebsiteCheck>[0]> & { nameServers?: readonly string[] } = {},
) {
  const { value } = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', 'website-challenges')
    .executeTakeFirstOrThrow();
  const secret = Buffer.from(value, 'base64url');
  return {
    secret,
    challenges: createChallenges(secret),
    checkWebsite: createWebsiteCheck({ fetch, readFile, sharedHosts }),
    readDomainKeys: createDomainKeyReader(fetch, nameServers),
    sharedHosts,
    fetch,
    readFile,
  };
}
