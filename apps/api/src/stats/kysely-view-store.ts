import type { Engine } from '../db/engine.ts';
import type { ViewStore } from './view-store.ts';

/** Creates the view store over a database. */
export function createKyselyViewStore({ db }: Engine): ViewStore {
  return {
    async sum(fromDay) {
      const { views } = await db
        .selectFrom('daily_views')
        .select((select) => select.fn.sum<number | null>('views').as('views'))
        .where('day', '>=', fromDay)
        .executeTakeFirstOrThrow();
      return views ?? 0;
    },

    async add(viewsByDay) {
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
