import { isIPv4, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import type { ServerOptions } from '../server-options.ts';
import { checkUsages, type PlannedCount, type RateLimitKind } from './check-usages.ts';
import {
  MAX_RATE_LIMIT_WINDOW,
  RATE_LIMIT_WINDOW,
  type LimitCount,
  type RateLimitStore,
  type RateLimitUsage,
} from './rate-limit-store.ts';

/** Calls of one client or of all within a minute, or bytes within a day; 0 for any number. */
type RateLimits = Pick<Config, 'REGISTRATION' | 'REGISTER_LIMIT' | 'REGISTER_LIMIT_GLOBAL' | 'READ_LIMIT'> &
  Pick<ServerOptions, 'editLimit' | 'writeBytesPerDay'>;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** How many clients' worth of calls one IPv6 /48 may send, which one customer can have, or many of a carrier. */
const NETWORK_FACTOR = 4;

type RateLimit = Omit<PlannedCount, 'key' | 'amount'> & {
  store: RateLimitStore;
  /** Returns the rate limit key of a call; undefined if the limit does not apply to it. */
  toKey: (keys: ClientKeys) => string | undefined;
};

type LimitedCall = { id?: string; bytes?: number; calls?: number | undefined };

/** A call that is counted in the transaction of what it stores. */
export type PreparedCall = {
  kind: RateLimitKind;
  call: LimitedCall;
  counts: readonly LimitCount[];
  /** The `RateLimit` headers of the call. @throws {RegistryError} `too-many` when a limit is used up */
  check: (usages: readonly RateLimitUsage[]) => Record<string, string>;
};

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
export function createRateLimiter(limits: RateLimits, store: RateLimitStore) {
  const daily = { window: MAX_RATE_LIMIT_WINDOW };
  // Operators have one setting for all writes of a client.
  const { editLimit, writeBytesPerDay } = limits.REGISTER_LIMIT === 0 ? { editLimit: 0, writeBytesPerDay: 0 } : limits;
  const writeBytes = toLimits('write-bytes', writeBytesPerDay, () => store, { ...daily, isOfBytes: true });
  const toShared = (name: string): RateLimit[] => [
    ...toLimits(name, limits.REGISTER_LIMIT, () => store),
    ...writeBytes,
    {
      policy: `${name}-all`,
      limit: limits.REGISTER_LIMIT_GLOBAL,
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
    read: toLimits('read', limits.READ_LIMIT, createMemoryRateLimitStore),
    // Nobody registers while registration is closed.
    register: limits.REGISTRATION === 'closed' ? [] : toShared('register'),
    report: toShared('report'),
    agentReport: toLimits('agent-report', 3, () => store, daily),
    edit: [...toLimits('edit', editLimit, () => store), ...writeBytes],
    wrongKey: toLimits('wrong-key', 10, () => store),
    prefill: toLimits('prefill', 10, () => store),
    prefillHost: toLimits('prefill-host', 30, () => store, daily),
  };

  /** The limits that are known to be used up, so that a refused call costs no transaction. */
  const usedUp = new LRUCache<string, RateLimitUsage & { seenAt: number }>({ max: 10_000 });
  return {
    /** @throws {RegistryError} `too-many`, with the `RateLimit` headers and `Retry-After`, when a limit is used up */
    async consume(kind: RateLimitKind, address: string | undefined, call: LimitedCall = {}) {
      const planned = planCounts(rateLimits[kind], address, call);
      const usages: RateLimitUsage[] = [];
      for (const { store, key, limit, window, amount } of planned) {
        const usage = await store.increment(key, limit, window, amount);
        usages.push(usage);
        if (usage.used > limit) break;
      }
      return checkUsages(kind, planned, usages);
    },

    /** Plans counts that are made in the transaction of what the call stores. @throws {RegistryError} if one is used up */
    prepare(kind: RateLimitKind, address: string | undefined, call: LimitedCall): PreparedCall {
      const planned = planCounts(rateLimits[kind], address, call);
      const now = performance.now();
      const known = planned.map(({ key }) => usedUp.get(key));
      const first = known.findIndex((usage) => usage && usage.seenAt + usage.resetsIn > now);
      const usage = known[first];
      if (usage) checkUsages(kind, planned.slice(first), [{ ...usage, resetsIn: usage.seenAt + usage.resetsIn - now }]);
      return {
        kind,
        call,
        counts: planned,
        check(usages) {
          for (const [index, { key, limit }] of planned.entries()) {
            const counted = usages[index];
            if (counted && counted.used > limit) usedUp.set(key, { ...counted, seenAt: performance.now() });
          }
          return checkUsages(kind, planned, usages);
        },
      };
    },

    /** Counts further calls, or takes reads back, and refuses none: the next one may be. */
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

/** What a call counts against each of the limits that apply to it. */
function planCounts(
  limits: readonly RateLimit[],
  address: string | undefined,
  { id, bytes = 0, calls = 1 }: LimitedCall,
): (PlannedCount & Pick<RateLimit, 'store'>)[] {
  const keys = clientKeys(address);
  return limits.flatMap((rateLimit) => {
    const { policy, limit, isOfBytes, toKey } = rateLimit;
    const key = toKey(keys);
    // A call of several uses up a limit that is smaller.
    const amount = isOfBytes ? bytes : Math.min(calls, limit);
    if (limit === 0 || key === undefined || amount === 0) return [];
    return [{ ...rateLimit, key: [policy, key, id].filter(Boolean).join(' '), amount }];
  });
}

type ClientKeys = {
  /** An IPv4 address, or the /64 of an IPv6 address: the smallest network that one client is given. Empty if unknown. */
  client: string;
  /** The /48 of an IPv6 address, which a single customer can hold; undefined for other addresses. */
  network: string | undefined;
};

/** IPv4 addresses mapped into IPv6 count as IPv4; all texts that are no address share one client. */
export function clientKeys(address: string | undefined): ClientKeys {
  const withoutPort = /^\[(.*)\](?::\d+)?$/.exec(address ?? '') ?? /^([\d.]+):\d+$/.exec(address ?? '');
  const [bare = ''] = (withoutPort?.[1] ?? address ?? '').toLowerCase().split('%');
  if (!isIPv6(bare)) return { client: isIPv4(bare) ? bare : '', network: undefined };
  const groups = toGroups(bare);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return { client: toIPv4(groups.slice(6)), network: undefined };
  return { client: `${groups.slice(0, 4).join(':')}::/64`, network: `${groups.slice(0, 3).join(':')}::/48` };
}

/** What counts as one client where networks count: the /48 of an IPv6 address, else the address. */
export function networkOf(address: string | undefined): string {
  const { client, network = client } = clientKeys(address);
  return network;
}

function toIPv4(groups: readonly string[]): string {
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}

/** The eight groups of an IPv6 address, in lower case without leading zeros. */
function toGroups(address: string): string[] {
  // URL normalizes an IPv6 address and compresses at most one run of zeros.
  const spelling = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = spelling.split('::').map((part) => (part === '' ? [] : part.split(':')));
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

/** How many windows are kept; beyond that the oldest are dropped. */
const MAX_WINDOWS = 10_000;

/** Counts calls in the memory of the process, for reads, which never write to the database. */
export function createMemoryRateLimitStore(now: () => number = () => performance.now()): RateLimitStore {
  /** In the order in which the windows started. */
  const windows = new Map<string, { used: number; resetsAt: number }>();

  return {
    async increment(key, limit, window = RATE_LIMIT_WINDOW, amount = 1) {
      const time = now();
      let current = windows.get(key);
      if (!current || current.resetsAt <= time) {
        windows.delete(key);
        current = { used: 0, resetsAt: time + window };
        windows.set(key, current);
        const [oldest = key] = windows.keys();
        if (windows.size > MAX_WINDOWS) windows.delete(oldest);
      }
      current.used = Math.max(0, Math.min(current.used, limit) + amount);
      return { used: current.used, resetsIn: current.resetsAt - time };
    },
  };
}
