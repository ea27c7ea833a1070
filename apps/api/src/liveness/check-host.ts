import { RedirectError, type GuardedFetch, type WebsiteResponse } from '../website-check/guarded-fetch.ts';
import type { ReadFile } from '../website-files/read-file.ts';
import { toVerdict, toVerdictOfError, type Verdict } from './verdict.ts';

/** How long a check may take, robots.txt included, in milliseconds. */
const CHECK_TIMEOUT = 10_000;

/** Asks a host for its first page, unless its robots.txt forbids that; never rejects. */
export type CheckHost = (host: string, signal?: AbortSignal) => Promise<Verdict>;

/** Creates the check, which reads no page and sends no cookies. */
export function createHostCheck(
  fetch: GuardedFetch,
  { userAgent, readFile, timeout = CHECK_TIMEOUT }: { userAgent: string; readFile: ReadFile; timeout?: number },
): CheckHost {
  return async function checkHost(host, stopping) {
    const timedOut = AbortSignal.timeout(timeout);
    const signal = stopping ? AbortSignal.any([stopping, timedOut]) : timedOut;
    const page = new URL(`https://${host}/`);
    try {
      const url = new URL('/robots.txt', page);
      const robots = await readRobots(url, signal);
      // RFC 9309: while a server cannot give its robots.txt, nothing else is asked of it, so that nothing is known.
      if (robots.status >= 500) return 'none';
      const file = { text: robots.text, type: 'text/plain', url: url.href };
      if (robots.status === 200 && !(await readFile('robots', file))) return 'none';
      const { status } = await fetch(page, { userAgent, signal, maxSize: 0, redirect: 'return' });
      return toVerdict(status);
    } catch (error) {
      return toVerdictOfError(error);
    }
  };

  /** Reads robots.txt; one that is on another host counts as none. */
  async function readRobots(url: URL, signal: AbortSignal): Promise<Pick<WebsiteResponse, 'status' | 'text'>> {
    try {
      return await fetch(url, { userAgent, signal });
    } catch (error) {
      if (error instanceof RedirectError) return { status: 404, text: '' };
      throw error;
    }
  }
}
