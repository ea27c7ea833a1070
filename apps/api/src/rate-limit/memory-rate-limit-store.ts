import { RATE_LIMIT_WINDOW, type RateLimitStore } from './rate-limit-store.ts';

/** How many windows are kept; beyond that the oldest are dropped. */
const MAX_WINDOWS = 10_000;

/**
 * Counts calls in the memory of the process, for reads, which never write to the database.
 * @param now a monotonic clock, in milliseconds
 */
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
      current.used = Math.min(current.used, limit) + amount;
      return { used: current.used, resetsIn: current.resetsAt - time };
    },
  };
}
