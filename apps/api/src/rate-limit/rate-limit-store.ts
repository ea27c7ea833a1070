/** The window in which calls are counted by default, in milliseconds. It starts with its first call. */
export const RATE_LIMIT_WINDOW = 60_000;

/** The longest window, in milliseconds. */
export const MAX_RATE_LIMIT_WINDOW = 86_400_000;

/** The state of a rate limit after a call was counted. */
export type RateLimitUsage = {
  /** Calls counted in the current window; `limit + 1` when the limit was used up before this call. */
  used: number;
  /** Time until the window ends, in milliseconds. */
  resetsIn: number;
};

/** Counts calls in fixed windows. */
export type RateLimitStore = {
  /**
   * Counts a call, never beyond `limit` under concurrency.
   * @param key the rate limit key, of any length
   * @param window in milliseconds; the same in all calls of a key, and at most a day
   * @param calls the number of calls that it counts as; it takes the rest of a limit that has fewer left
   */
  increment(key: string, limit: number, window?: number, calls?: number): Promise<RateLimitUsage>;
};
