import { RegistryError } from '../registry-error.ts';
import { clientKeys, type ClientKeys } from './client-keys.ts';
import { describeWait } from './describe-wait.ts';
import { createMemoryRateLimitStore } from './memory-rate-limit-store.ts';
import { MAX_RATE_LIMIT_WINDOW, RATE_LIMIT_WINDOW, type RateLimitStore } from './rate-limit-store.ts';

/** Calls allowed within a minute; 0 for any number. */
export type RateLimits = {
  /** Registrations of one client; also its reports, which are counted apart. */
  register: number;
  /** Registrations of all clients together; also their reports. */
  registerGlobal: number;
  /** Changes of agents by one client: edits, withdrawals and new keys. */
  edit: number;
  /** Reads of one client, by one process. */
  read: number;
  /** Bytes that one client sends within a day to be stored: registrations, changes and reports. */
  writeBytes: number;
};

/** The rate limits of the registry. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** A kind of calls with a rate limit. Reports of an agent, and calls with a wrong key, are counted for each agent. */
export type RateLimitKind =
  | 'read'
  | 'register'
  | 'report'
  | 'agentReport'
  | 'edit'
  | 'wrongKey'
  | 'prefill'
  | 'prefillHost';

/** Reports of one agent that one client may send within a day. */
const AGENT_REPORT_LIMIT = 3;

/** Calls with a wrong management key that one client may send for one agent. */
const WRONG_KEY_LIMIT = 10;

/** Readings of websites for the form that one client may ask for within a minute. */
const PREFILL_LIMIT = 10;

/** Readings of one host that one client may ask for within a day. */
const PREFILL_HOST_LIMIT = 30;

const callNames: Record<RateLimitKind, string> = {
  read: 'reads',
  register: 'registrations',
  report: 'reports',
  agentReport: 'reports of this agent',
  edit: 'changes',
  wrongKey: 'wrong management keys for this agent',
  prefill: 'addresses to fill in the form from',
  prefillHost: 'addresses of this host to fill in the form from',
};

/**
 * How many clients' worth of calls one IPv6 /48 may send. It holds 65,536 networks that each count as a client, and a
 * single customer can have all of them; a mobile carrier spreads its customers over many.
 */
const NETWORK_FACTOR = 4;

type RateLimit = {
  /** The name of the policy in the headers. */
  policy: string;
  limit: number;
  /** In milliseconds: a minute or a day. */
  window: number;
  /** Whether the bytes of calls are counted in place of the calls. */
  isOfBytes: boolean;
  store: RateLimitStore;
  /** Returns the rate limit key of a call; undefined if the limit does not apply to it. */
  toKey: (keys: ClientKeys) => string | undefined;
  /** The subject of the refusal message, such as "Your address". */
  sender: string;
};

/** The limits of a client, and of the network that it shares with others. */
function toLimits(
  name: string,
  limit: number,
  toStore: () => RateLimitStore,
  { window = RATE_LIMIT_WINDOW, isOfBytes = false } = {},
): RateLimit[] {
  const common = { window, isOfBytes };
  return [
    { ...common, policy: name, limit, store: toStore(), toKey: ({ client }) => client, sender: 'Your address has' },
    {
      ...common,
      policy: `${name}-network`,
      limit: NETWORK_FACTOR * limit,
      store: toStore(),
      toKey: ({ network }) => network,
      sender: 'Your network (an IPv6 /48) has',
    },
  ];
}

/** Creates the rate limits: registrations are counted in the shared store, reads in memory. */
export function createRateLimiter(limits: RateLimits, store: RateLimitStore, { isRegistrationClosed = false } = {}) {
  const daily = { window: MAX_RATE_LIMIT_WINDOW };
  const writeBytes = toLimits('write-bytes', limits.writeBytes, () => store, { ...daily, isOfBytes: true });
  const toShared = (name: string): RateLimit[] => [
    ...toLimits(name, limits.register, () => store),
    ...writeBytes,
    {
      policy: `${name}-all`,
      limit: limits.registerGlobal,
      window: RATE_LIMIT_WINDOW,
      isOfBytes: false,
      store,
      toKey: () => 'all',
      sender: 'All clients together have',
    },
  ];
  // The client's own limit first, so that a refused client does not use up shared limits.
  const rateLimits = {
    // A store for each limit: addresses that fill one must not push networks out of the other.
    read: toLimits('read', limits.read, createMemoryRateLimitStore),
    // Nobody registers while registration is closed.
    register: isRegistrationClosed ? [] : toShared('register'),
    report: toShared('report'),
    agentReport: toLimits('agent-report', AGENT_REPORT_LIMIT, () => store, daily),
    edit: [...toLimits('edit', limits.edit, () => store), ...writeBytes],
    wrongKey: toLimits('wrong-key', WRONG_KEY_LIMIT, () => store),
    prefill: toLimits('prefill', PREFILL_LIMIT, () => store),
    prefillHost: toLimits('prefill-host', PREFILL_HOST_LIMIT, () => store, daily),
  };

  return {
    /**
     * Counts a call of the client at an IP address, for an agent if it has an id, against the rate limits of its kind: its
     * bytes, and itself as one or as several. Returns the `RateLimit` headers of the response.
     * @throws {RegistryError} `too-many`, with these headers and `Retry-After`, when a limit is used up.
     */
    async consume(
      kind: RateLimitKind,
      address: string | undefined,
      { id, bytes = 0, calls = 1 }: { id?: string; bytes?: number; calls?: number | undefined } = {},
    ): Promise<Record<string, string>> {
      const keys = clientKeys(address);
      const headers: Record<string, string> = {};
      const policies: string[] = [];
      const states: string[] = [];
      for (const { policy, limit, window, isOfBytes, store, toKey, sender } of rateLimits[kind]) {
        const key = toKey(keys);
        // A call of several uses up a limit that is smaller.
        const amount = isOfBytes ? bytes : Math.min(calls, limit);
        if (limit === 0 || key === undefined || amount === 0) continue;
        const limitKey = [policy, key, id].filter(Boolean).join(' ');
        const { used, resetsIn } = await store.increment(limitKey, limit, window, amount);
        const seconds = Math.max(1, Math.ceil(resetsIn / 1_000));
        // The format of draft-ietf-httpapi-ratelimit-headers-11.
        policies.push(`"${policy}";q=${limit}${isOfBytes ? ';qu="content-bytes"' : ''};w=${window / 1_000}`);
        states.push(`"${policy}";r=${Math.max(0, limit - used)};t=${seconds}`);
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
    },

    /** Counts further calls of the client, for a call that has cost as much. Refuses none: the next one may be. */
    async charge(kind: RateLimitKind, address: string | undefined, calls: number): Promise<void> {
      const keys = clientKeys(address);
      for (const { policy, limit, window, store, toKey } of rateLimits[kind]) {
        const key = toKey(keys);
        if (limit === 0 || key === undefined) continue;
        await store.increment([policy, key].join(' '), limit, window, calls);
      }
    },
  };
}
