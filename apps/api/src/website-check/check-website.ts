import { CHALLENGE_PATH, isSharedHost, type WebsiteProof } from '@agent-registry/contracts';
import type { ReadFile } from '../website-files/read-file.ts';
import { RedirectError, type GuardedFetch, type WebsiteResponse } from './guarded-fetch.ts';

/** How long a check may take, in milliseconds. */
const CHECK_TIMEOUT = 5_000;
/** The most lines of a challenge file that are read. */
const MAX_LINES = 1_000;

/**
 * The result of a check: what the challenge proves, or why it proves nothing. `unreachable` has no details, so that
 * strangers cannot explore networks.
 */
export type WebsiteCheckResult = WebsiteProof | 'missing' | 'redirected' | 'unreachable';

/** Looks for a challenge at a website. */
export type CheckWebsite = (check: {
  /** The website as it is listed. */
  website: string;
  /** The page that explains the request; it is named in `User-Agent`. */
  explainedAt: string;
  /** Whether a text is the challenge. */
  accepts: (text: string) => boolean;
}) => Promise<WebsiteCheckResult>;

/** Creates the check, which fetches the challenge file and, without the challenge in it, the listed page. */
export function createWebsiteCheck(
  { fetch, readFile }: { fetch: GuardedFetch; readFile: ReadFile },
  timeout: number = CHECK_TIMEOUT,
): CheckWebsite {
  return async function checkWebsite({ website, explainedAt, accepts }) {
    const options = { userAgent: `AgentRegistry (+${explainedAt})`, signal: AbortSignal.timeout(timeout) };
    const page = new URL(website);
    const failures: WebsiteCheckResult[] = [];
    const sources = [
      {
        url: new URL(CHALLENGE_PATH, page),
        readTexts: readLines,
        proof: isSharedHost(page.hostname) ? 'page' : 'host',
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

  /** The challenges in the head of a page; none from a page that cannot be read. */
  function readChallenges({ type, text }: WebsiteResponse, url: URL): Promise<string[]> {
    return readFile('challenges', { type, text, url: url.href }).catch(() => []);
  }
}

function readLines({ text }: WebsiteResponse): string[] {
  return text.split('\n', MAX_LINES).map((line) => line.trim());
}
