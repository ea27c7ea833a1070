import type { Engine } from '../db/engine.ts';
import type { StatsStore } from './stats-store.ts';

/** Keeps the figures in a database. */
export function createKyselyStatsStore({ db }: Engine): StatsStore {
  return {
    async countAgents() {
      const { total } = await db
        .selectFrom('agents')
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return total;
    },

    async sumViews(fromDay) {
      const { views } = await db
        .selectFrom('daily_views')
        .select((select) => select.fn.sum<number | null>('views').as('views'))
        .where('day', '>=', fromDay)
        .executeTakeFirstOrThrow();
      return views ?? 0;
    },

    async addViews(viewsByDay) {
      await db
        .insertInto('daily_views')
        .values([...viewsByDay].map(([day, views]) => ({ day, views })))
        .onConflict((conflict) =>
          conflict
            .column('day')
            .doUpdateSet((update) => ({ views: update('daily_views.views', '+', update.ref('excluded.views')) })),
        )
        .execute();
    },
  };
}
