import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

/** How often ended windows are deleted, in milliseconds. */
const SWEEP_INTERVAL = 60_000;

/**
 * Counts calls in the database, which all processes share. Keys are stored as hashes: they hold client addresses and are
 * of any length.
 * @param now the time, in milliseconds since 1970
 */
export function createKyselyRateLimitStore({ db }: Engine, now: () => number = () => Date.now()): RateLimitStore {
  let sweptAt = 0;

  return {
    async increment(key, limit, window) {
      const time = now();
      if (time - sweptAt >= SWEEP_INTERVAL) {
        sweptAt = time;
        await db.deleteFrom('budgets').where('resets_at', '<=', toTimestamp(time)).execute();
      }
      const id = createHash('sha256').update(key).digest('base64url');
      // One statement, so that concurrent calls cannot exceed the limit. Once it is used up nothing is written.
      const row = await db
        .insertInto('budgets')
        .values({ id, spent: 1, resets_at: toTimestamp(time + window) })
        .onConflict((conflict) => {
          const hasEnded = sql<boolean>`budgets.resets_at <= ${toTimestamp(time)}`;
          return conflict
            .column('id')
            .doUpdateSet({
              spent: sql`CASE WHEN ${hasEnded} THEN 1 ELSE budgets.spent + 1 END`,
              resets_at: sql`CASE WHEN ${hasEnded} THEN excluded.resets_at ELSE budgets.resets_at END`,
            })
            .where((where) => where.or([hasEnded, where('budgets.spent', '<', limit)]));
        })
        .returning(['spent', 'resets_at'])
        .executeTakeFirst();
      if (row) return { used: row.spent, resetsIn: Date.parse(row.resets_at) - time };
      const usedUp = await db.selectFrom('budgets').select('resets_at').where('id', '=', id).executeTakeFirst();
      // Another process may have deleted a window that has just ended.
      return { used: limit + 1, resetsIn: usedUp ? Date.parse(usedUp.resets_at) - time : 0 };
    },
  };
}

function toTimestamp(time: number): string {
  return new Date(time).toISOString();
}
