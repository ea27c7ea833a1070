import { createHash } from 'node:crypto';
import { sql, type Expression, type Kysely } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { hasCome } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';

/** The window in which calls are counted by default, in milliseconds. It starts with its first call. */
export const RATE_LIMIT_WINDOW = 60_000;
export const MAX_RATE_LIMIT_WINDOW = 86_400_000;

export type RateLimitUsage = {
  /** What was counted in the current window; more than `limit` when the limit was used up before this call. */
  used: number;
  resetsIn: number;
};

export type RateLimitStore = {
  /**
   * Counts one call, never beyond `limit` under concurrency. The window, in milliseconds, is the same in all calls of a key;
   * only the counts in memory can be taken back by a negative amount.
   */
  increment(key: string, limit: number, window?: number, amount?: number): Promise<RateLimitUsage>;
};

export type LimitCount = {
  key: string;
  limit: number;
  /** In milliseconds; the same in all calls of a key, and at most a day. */
  window: number;
  amount: number;
};

/** How often ended windows are deleted, in milliseconds. */
const SWEEP_INTERVAL = 60_000;

/** Counts calls in the database, which all processes share. Keys are stored as hashes: they hold client addresses. */
export function createRateLimitStore({ db }: Pick<Engine, 'db'>, now: () => number = () => Date.now()) {
  let sweptAt = -Infinity;

  return { increment, countCalls };

  async function increment(
    key: string,
    limit: number,
    window = RATE_LIMIT_WINDOW,
    amount = 1,
  ): Promise<RateLimitUsage> {
    const time = now();
    const hasEnded = hasEndedAt(time, window);
    await sweep(db, time);
    const id = toId(key);
    // One statement, so that concurrent calls cannot exceed the limit. Once it is used up nothing is written.
    const row = await db
      .insertInto('rate_limits')
      .values({ id, used: amount, resets_at: toTimestamp(time + window) })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(toUpdate(hasEnded))
          .where((where) => where.or([hasEnded, where('rate_limits.used', '<', limit)])),
      )
      .returning(['used', 'resets_at'])
      .executeTakeFirst();
    if (row) return { used: row.used, resetsIn: Date.parse(row.resets_at) - time };
    const usedUp = await db.selectFrom('rate_limits').select('resets_at').where('id', '=', id).executeTakeFirst();
    // Another process may have deleted a window that has just ended.
    return { used: limit + 1, resetsIn: usedUp ? Date.parse(usedUp.resets_at) - time : 0 };
  }

  async function countCalls(transaction: Kysely<Tables>, calls: readonly (readonly LimitCount[])[]) {
    const time = now();
    await sweep(transaction, time);
    return countInTransaction(transaction, calls, time);
  }

  async function sweep(database: Kysely<Tables>, time: number): Promise<void> {
    if (Math.abs(time - sweptAt) < SWEEP_INTERVAL) return;
    sweptAt = time;
    await database.deleteFrom('rate_limits').where(hasEndedAt(time, MAX_RATE_LIMIT_WINDOW)).execute();
  }
}

/** Counts calls one after the other; the usages of each end with the first limit that it found used up. */
async function countInTransaction(
  transaction: Kysely<Tables>,
  calls: readonly (readonly LimitCount[])[],
  time: number,
): Promise<RateLimitUsage[][]> {
  const states = new Map<string, WindowState>();
  for (const { key, window, amount } of calls.flat()) {
    const id = toId(key);
    const added = states.get(id)?.added ?? 0;
    states.set(id, { window, added: added + amount, used: 0, resetsAt: toTimestamp(time + window) });
  }
  if (states.size === 0) return calls.map(() => []);
  const windows = new Set(Array.from(states.values(), ({ window }) => window));
  const hasEnded = sql.join(
    Array.from(
      windows,
      (window) => sql`excluded.resets_at = ${toTimestamp(time + window)} AND ${hasEndedAt(time, window)}`,
    ),
    sql` OR `,
  );
  // Sorted: it locks the rows until the end of the transaction, in one order.
  const rows = await transaction
    .insertInto('rate_limits')
    .values(
      [...states]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([id, { added: used, resetsAt: resets_at }]) => ({ id, used, resets_at })),
    )
    .onConflict((conflict) => conflict.column('id').doUpdateSet(toUpdate(hasEnded)))
    .returning(['id', 'used', 'resets_at'])
    .execute();
  for (const { id, used, resets_at: resetsAt } of rows) {
    const state = states.get(id) as WindowState;
    states.set(id, { ...state, used: used - state.added, resetsAt });
  }
  const usages = calls.map((call) => countCall(call, states, time));
  for (const { id, used } of rows) {
    const counted = states.get(id)?.used;
    // Calls beyond a limit are not counted after all.
    if (counted !== used)
      await transaction.updateTable('rate_limits').set({ used: counted }).where('id', '=', id).execute();
  }
  return usages;
}

/** A window of a limit: what all calls together add, and what is used of it so far. */
type WindowState = { window: number; added: number; used: number; resetsAt: string };

/** Counts a call against its limits, until one of them is used up. */
function countCall(call: readonly LimitCount[], states: Map<string, WindowState>, time: number): RateLimitUsage[] {
  const usages: RateLimitUsage[] = [];
  for (const { key, limit, amount } of call) {
    const state = states.get(toId(key));
    if (!state) continue;
    const isLeft = state.used < limit;
    if (isLeft) state.used += amount;
    const used = isLeft ? state.used : limit + 1;
    usages.push({ used, resetsIn: Date.parse(state.resetsAt) - time });
    if (used > limit) break;
  }
  return usages;
}

function toId(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Whether a window has ended; one window of tolerance, since the clocks of processes differ a little. */
function hasEndedAt(time: number, window: number) {
  return hasCome('rate_limits.resets_at', time, 2 * window);
}

/** What a call adds to a window, or begins after it has ended. */
function toUpdate(hasEnded: Expression<unknown>) {
  return {
    used: sql<number>`CASE WHEN ${hasEnded} THEN excluded.used ELSE rate_limits.used + excluded.used END`,
    resets_at: sql<string>`CASE WHEN ${hasEnded} THEN excluded.resets_at ELSE rate_limits.resets_at END`,
  };
}

function toTimestamp(time: number): string {
  return new Date(time).toISOString();
}
