import robotsParser from 'robots-parser';
import { RedirectError, type GuardedFetch, type WebsiteResponse } from '../website-check/guarded-fetch.ts';
import { PRODUCT } from '../website-check/user-agent.ts';
import { toVerdict, toVerdictOfError, type Verdict } from './verdict.ts';

// The types of the package describe an ES module, but it is none: the import is the function itself.
const parseRobots = robotsParser as unknown as (
  url: string,
  text: string,
) => { isAllowed(url: string, userAgent: string): boolean | undefined };

/** How long a check may take, robots.txt included, in milliseconds. */
const CHECK_TIMEOUT = 10_000;

/** Asks a host for its first page, unless its robots.txt forbids that; never rejects. */
export type CheckHost = (host: string, signal?: AbortSignal) => Promise<Verdict>;

/** Creates the check, which reads no page and sends no cookies. */
export function createHostCheck(
  fetch: GuardedFetch,
  { userAgent, timeout = CHECK_TIMEOUT }: { userAgent: string; timeout?: number },
): CheckHost {
  return async function checkHost(host, stopping) {
    const timedOut = AbortSignal.timeout(timeout);
    const signal = stopping ? AbortSignal.any([stopping, timedOut]) : timedOut;
    const page = new URL(`https://${host}/`);
    try {
      const robots = await readRobots(new URL('/robots.txt', page), signal);
      // RFC 9309: while a server cannot give its robots.txt, nothing else is asked of it.
      if (robots.status >= 500) return toVerdict(robots.status);
      if (robots.status === 200 && !isAllowed(page, robots.text)) return 'none';
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

  function isAllowed(page: URL, robots: string): boolean {
    return parseRobots(new URL('/robots.txt', page).href, robots).isAllowed(page.href, PRODUCT) !== false;
  }
}
