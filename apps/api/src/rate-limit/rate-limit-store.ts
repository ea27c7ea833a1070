import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { hasCome } from '../db/has-come.ts';

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

/** How often ended windows are deleted, in milliseconds. */
const SWEEP_INTERVAL = 60_000;

/**
 * Counts calls in the database, which all processes share. Keys are stored as hashes: they hold client addresses and
 * are of any length.
 * @param now the time, in milliseconds since 1970
 */
export function createRateLimitStore({ db }: Engine, now: () => number = () => Date.now()): RateLimitStore {
  let sweptAt = -Infinity;

  return {
    async increment(key, limit, window = RATE_LIMIT_WINDOW, amount = 1) {
      const time = now();
      const hasEnded = hasEndedAt(time, window);
      if (Math.abs(time - sweptAt) >= SWEEP_INTERVAL) {
        sweptAt = time;
        await db.deleteFrom('rate_limits').where(hasEndedAt(time, MAX_RATE_LIMIT_WINDOW)).execute();
      }
      const id = createHash('sha256').update(key).digest('base64url');
      // One statement, so that concurrent calls cannot exceed the limit. Once it is used up nothing is written.
      const row = await db
        .insertInto('rate_limits')
        .values({ id, used: amount, resets_at: toTimestamp(time + window) })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({
              used: sql`CASE WHEN ${hasEnded} THEN excluded.used ELSE rate_limits.used + excluded.used END`,
              resets_at: sql`CASE WHEN ${hasEnded} THEN excluded.resets_at ELSE rate_limits.resets_at END`,
            })
            .where((where) => where.or([hasEnded, where('rate_limits.used', '<', limit)])),
        )
        .returning(['used', 'resets_at'])
        .executeTakeFirst();
      if (row) return { used: row.used, resetsIn: Date.parse(row.resets_at) - time };
      const usedUp = await db.selectFrom('rate_limits').select('resets_at').where('id', '=', id).executeTakeFirst();
      // Another process may have deleted a window that has just ended.
      return { used: limit + 1, resetsIn: usedUp ? Date.parse(usedUp.resets_at) - time : 0 };
    },
  };
}

/** Whether a window has ended; one window of tolerance, since the clocks of processes differ a little. */
function hasEndedAt(time: number, window: number) {
  return hasCome('rate_limits.resets_at', time, 2 * window);
}

function toTimestamp(time: number): string {
  return new Date(time).toISOString();
}
