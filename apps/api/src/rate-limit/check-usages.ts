import { RegistryError } from '../registry-error.ts';
import { RATE_LIMIT_WINDOW, type LimitCount, type RateLimitUsage } from './rate-limit-store.ts';

/**
 * How many reads a request that is no cache hit counts as, by its kind; 1 for other kinds. A read of `READ_LIMIT` stands
 * for 20 ms of processor. `npx -y pnpm@12 attacks` measures every kind on both engines.
 */
export const readCharges = {
  page: 7,
  picture: 8,
  mcp: 3,
  ard: 3,
  /** A sitemap of up to 50,000 addresses. */
  sitemap: 12,
  /** A page of one MCP server. */
  one: 0.1,
} as const;

export type ReadKind = keyof typeof readCharges;

export const READS_PER_SEARCH = 1;
/** How many more reads a search counts for each term that no agent uses: corrections cost as much on PostgreSQL. */
export const READS_PER_UNKNOWN_TERM = 4;
/** How many agents of a list or search count as one more read. */
export const AGENTS_PER_READ = 200;

const callNames = {
  read: 'reads',
  register: 'registrations',
  report: 'reports',
  agentReport: 'reports of this agent',
  edit: 'changes',
  wrongKey: 'wrong management keys for this agent',
  prefill: 'addresses to fill in the form from',
  prefillHost: 'addresses of this host to fill in the form from',
};

/** A kind of calls with a rate limit. Reports of an agent, and calls with a wrong key, are counted for each agent. */
export type RateLimitKind = keyof typeof callNames;

export type PlannedCount = LimitCount & {
  policy: string;
  /** Whether the bytes of calls are counted in place of the calls. */
  isOfBytes: boolean;
  /** The subject of the refusal message, such as "Your address". */
  sender: string;
};

/** @throws {RegistryError} `too-many`, with the `RateLimit` headers and `Retry-After`, when a limit is used up */
export function checkUsages(
  kind: RateLimitKind,
  planned: readonly PlannedCount[],
  usages: readonly RateLimitUsage[],
): Record<string, string> {
  const headers: Record<string, string> = {};
  const policies: string[] = [];
  const states: string[] = [];
  for (const [index, { used, resetsIn }] of usages.entries()) {
    const { policy, limit, window, isOfBytes, sender } = planned[index] as PlannedCount;
    const seconds = Math.max(1, Math.ceil(resetsIn / 1_000));
    // The format of draft-ietf-httpapi-ratelimit-headers-11.
    policies.push(`"${policy}";q=${limit}${isOfBytes ? ';qu="content-bytes"' : ''};w=${window / 1_000}`);
    states.push(`"${policy}";r=${Math.max(0, Math.floor(limit - used))};t=${seconds}`);
    headers['RateLimit-Policy'] = policies.join(', ');
    headers['RateLimit'] = states.join(', ');
    if (used <= limit) continue;
    headers['Retry-After'] = String(seconds);
    const period = window === RATE_LIMIT_WINDOW ? 'a minute' : 'a day';
    const what = isOfBytes ? 'bytes of registrations, changes and reports' : callNames[kind];
    throw new RegistryError(
      'too-many',
      `${sender} sent more than ${limit} ${what} within ${period}. Try again in ${describeWait(seconds)}`,
      { headers },
    );
  }
  return headers;
}

/**
 * Describes a time to wait, rounded up to a unit that people use.
 * @example describeWait(5_400) // '2 hours'
 */
export function describeWait(seconds: number): string {
  const [amount, unit] =
    seconds <= 60 ? [seconds, 'second'] : seconds <= 3_600 ? [seconds / 60, 'minute'] : [seconds / 3_600, 'hour'];
  const whole = Math.ceil(amount);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
