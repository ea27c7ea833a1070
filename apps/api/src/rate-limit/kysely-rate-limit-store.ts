import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { BudgetStore } from './rate-limit-store.ts';

/** How often budgets whose window is over are removed, in milliseconds. */
const SWEEP_INTERVAL = 60_000;

/**
 * Keeps budgets in a database, under a hash of their names, which are of any length and hold addresses of clients.
 * @param now the time, in milliseconds since 1970
 */
export function createKyselyBudgetStore({ db }: Engine, now: () => number = () => Date.now()): BudgetStore {
  let sweptAt = 0;

  return {
    async spend(name, limit, window) {
      const time = now();
      if (time - sweptAt >= SWEEP_INTERVAL) {
        sweptAt = time;
        await db.deleteFrom('budgets').where('resets_at', '<=', toMoment(time)).execute();
      }
      const id = createHash('sha256').update(name).digest('base64url');
      // One statement, so that nobody else can spend in between. An exhausted budget is read, but not written.
      const row = await db
        .insertInto('budgets')
        .values({ id, spent: 1, resets_at: toMoment(time + window) })
        .onConflict((conflict) => {
          const isOver = sql<boolean>`budgets.resets_at <= ${toMoment(time)}`;
          return conflict
            .column('id')
            .doUpdateSet({
              spent: sql`CASE WHEN ${isOver} THEN 1 ELSE budgets.spent + 1 END`,
              resets_at: sql`CASE WHEN ${isOver} THEN excluded.resets_at ELSE budgets.resets_at END`,
            })
            .where((where) => where.or([isOver, where('budgets.spent', '<', limit)]));
        })
        .returning(['spent', 'resets_at'])
        .executeTakeFirst();
      if (row) return { spent: row.spent, resetsIn: Date.parse(row.resets_at) - time };
      const exhausted = await db.selectFrom('budgets').select('resets_at').where('id', '=', id).executeTakeFirst();
      // None, when its window has just ended and another process has removed it.
      return { spent: limit + 1, resetsIn: exhausted ? Date.parse(exhausted.resets_at) - time : 0 };
    },
  };
}

function toMoment(time: number): string {
  return new Date(time).toISOString();
}
