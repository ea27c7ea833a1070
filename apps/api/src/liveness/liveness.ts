import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { toSite } from '../hosts.ts';
import type { HostStore, Verdict } from './host-store.ts';
import { countWithin, tooManyChecks } from '../website-check/count-check.ts';
import type { GuardedFetch } from '../website-check/guarded-fetch.ts';
import { createRobotsReader } from '../website-check/read-robots.ts';
import type { ReadFile } from '../website-files/read-file.ts';

/** The status of a server that is busy or under maintenance. */
const UNAVAILABLE = 503;

/** How long a check may take, robots.txt included, in milliseconds. */
const CHECK_TIMEOUT = 10_000;

/** Asks a host for its first page, unless its robots.txt forbids that; never rejects. */
export type CheckHost = (host: string, signal?: AbortSignal) => Promise<Verdict>;

/** Hosts that a process asks at once. */
const CONCURRENCY = 4;
/** How often hosts that are due are looked for, in milliseconds. */
export const ROUND_INTERVAL = 60_000;
/** How long after a host another one of its site is asked, in milliseconds: less than the day after which it is due again. */
const SITE_INTERVAL = 84_600_000;
/** How far apart hosts that wait for their site are due again, in milliseconds, so that chance decides which one is next. */
const SITE_SPREAD = 1_500_000;
/** Checks of a site that its owners may ask for within a day, all of them together. */
const MAX_OWN_CHECKS = 5;
const DAY = 86_400_000;

/** What the registry knows of the hosts of websites. */
export type Liveness = ReturnType<typeof createLiveness>;

export type LivenessOptions = { store: HostStore; checkHost: CheckHost; rateLimitStore: RateLimitStore };

/** Creates what the procedures know of hosts. */
export function createLiveness({ store, checkHost, rateLimitStore }: LivenessOptions) {
  return {
    find: (host: string) => store.find(host),
    /**
     * Asks a host at once, for an owner.
     * @throws {RegistryError} `too-many` after five checks of its site within a day, or while one is under way
     */
    async checkNow(host: string): Promise<void> {
      const site = siteOf(host);
      const counted = `${site} was checked ${MAX_OWN_CHECKS} times for owners within a day`;
      await countWithin(rateLimitStore, [{ key: `liveness ${site}`, limit: MAX_OWN_CHECKS, window: DAY, counted }]);
      if (!(await store.claim(host))) throw tooManyChecks(`Another check of ${host} is under way`, ROUND_INTERVAL);
      await store.record(host, await checkHost(host));
    },
  };
}

/** Asks all hosts that are due, four at a time and one of a site, until none is left or the signal is aborted. */
export async function askDueHosts(
  { store, checkHost, rateLimitStore }: LivenessOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const hosts = await store.claimDue(CONCURRENCY);
    if (hosts.length === 0) return;
    const asked: string[] = [];
    for (const host of shuffle(hosts)) {
      const { used, resetsIn } = await rateLimitStore.increment(`liveness-site ${siteOf(host)}`, 1, SITE_INTERVAL);
      if (used === 1) asked.push(host);
      else await store.postpone(host, resetsIn + Math.ceil(Math.random() * SITE_SPREAD));
    }
    await Promise.all(
      asked.map(async (host) => {
        const verdict = await checkHost(host, signal);
        await store.record(host, signal.aborted ? 'none' : verdict);
      }),
    );
  }
}

/** Otherwise the first host by its name would always have the turn of its site. */
function shuffle(hosts: readonly string[]): string[] {
  const places = new Map(hosts.map((host) => [host, Math.random()]));
  return hosts.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

function siteOf(host: string): string {
  return toSite(`https://${host}`);
}

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

/** The verdict of a response: a host that refuses us answers, too. */
function toVerdict(status: number): Verdict {
  if (status === UNAVAILABLE) return 'none';
  return status >= 500 ? 'failed' : 'answered';
}

/**
 * The verdict of a request without a response. Only a name that does not exist is a failure: time-outs and certificates may
 * be our own fault, a refused connection may be that of one port, and an address that is not public says nothing.
 */
export function toVerdictOfError(error: unknown): Verdict {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTFOUND' ? 'failed' : 'none';
}
