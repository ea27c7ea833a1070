import type { GuardedFetch } from '../website-check/guarded-fetch.ts';
import { createRobotsReader } from '../website-check/read-robots.ts';
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
  const readRobots = createRobotsReader(fetch, { userAgent, readFile });
  return async function checkHost(host, stopping) {
    const timedOut = AbortSignal.timeout(timeout);
    const signal = stopping ? AbortSignal.any([stopping, timedOut]) : timedOut;
    const page = new URL(`https://${host}/`);
    try {
      const robots = await readRobots(page, signal);
      // RFC 9309: while a server cannot give its robots.txt, nothing else is asked of it, so that nothing is known.
      if (!robots.isAllowed) return 'none';
      const { status } = await fetch(page, { userAgent, signal, maxSize: 0, redirect: 'return' });
      return toVerdict(status);
    } catch (error) {
      return toVerdictOfError(error);
    }
  };
}
