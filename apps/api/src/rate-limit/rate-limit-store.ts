/** The window in which calls are counted by default, in milliseconds. It starts with its first call. */
export const RATE_LIMIT_WINDOW = 60_000;

/** The longest window, in milliseconds. */
export const MAX_RATE_LIMIT_WINDOW = 86_400_000;

/** The state of a rate limit after a call was counted. */
export type RateLimitUsage = {
  /** What was counted in the current window; more than `limit` when the limit was used up before this call. */
  used: number;
  /** Time until the window ends, in milliseconds. */
  resetsIn: number;
};

/** Counts calls in fixed windows. */
export type RateLimitStore = {
  /**
   * Counts one call, never beyond `limit` under concurrency.
   * @param key the rate limit key, of any length
   * @param window in milliseconds; the same in all calls of a key, and at most a day
   * @param amount what the call counts; 1 by default. The call that goes beyond `limit` uses it up
   */
  increment(key: string, limit: number, window?: number, amount?: number): Promise<RateLimitUsage>;
};
