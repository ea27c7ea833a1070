import { MONTH_DAYS } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { chunksOf } from '../db/records.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import { toDay, createFlushedCounter, type Count } from '../figures/daily-figures.ts';

/** Counts views in memory and writes them to the store in the background. */
export type ViewCounter = ReturnType<typeof createViewCounter>;

type ViewCounterOptions = {
  store: ViewStore;
  /** Called with the error of a background write. */
  onError: (error: unknown) => void;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
};

/** The views of a UTC day, such as `2026-11-21`. */
export type DayViews = { day: string; views: number };

type AgentViews = DayViews & { agentId: string };

const DAY = 86_400_000;
/** How long the views of an agent are kept, in milliseconds. */
const KEPT_TIME = 400 * DAY;

/** The first of the last 30 days, today included. */
export function toFirstDay(time: number): string {
  return toDay(time - (MONTH_DAYS - 1) * DAY);
}

/** Stores the views of agents by UTC day: numbers only, nothing of who looked. */
export type ViewStore = ReturnType<typeof createViewStore>;

export function createViewStore(engine: Engine) {
  const { db } = engine;
  return {
    async sum(fromDay: string): Promise<number> {
      const { views } = await db
        .selectFrom('daily_views')
        .select((select) => select.fn.sum<number | null>('views').as('views'))
        .where('day', '>=', fromDay)
        .executeTakeFirstOrThrow();
      return views ?? 0;
    },

    /** The views of an agent from a day on; days without views are left out. */
    ofAgent: (id: string, fromDay: string): Promise<DayViews[]> =>
      db
        .selectFrom('agent_views')
        .select(['day', 'views'])
        .where('agent_id', '=', id)
        .where('day', '>=', fromDay)
        .orderBy('day')
        .execute(),

    /** Adds views to their days, and to the days of listed agents, in one transaction. On a standby they are lost. */
    async add(viewsByDay: ReadonlyMap<string, number>, agentViews: readonly AgentViews[] = []): Promise<void> {
      if (await engine.isStandby()) return;
      await db.transaction().execute(async (transaction) => {
        // No view is added to an agent that is being erased.
        await engine.lockWrites(transaction);
        await transaction
          .insertInto('daily_views')
          .values([...viewsByDay].map(([day, views]) => ({ day, views })))
          .onConflict((conflict) =>
            conflict
              .column('day')
              .doUpdateSet((update) => ({ views: update('daily_views.views', '+', update.ref('excluded.views')) })),
          )
          .execute();
        for (const chunk of chunksOf(agentViews)) await addToAgents(transaction, chunk);
      });
    },
  };
}

/** Adds views to listed agents; those of others are left out. */
async function addToAgents(transaction: Kysely<Tables>, counted: readonly AgentViews[]): Promise<void> {
  const ids = counted.map(({ agentId }) => agentId);
  const rows = await transaction.selectFrom('agents').select('id').where('id', 'in', ids).execute();
  const listed = new Set(rows.map(({ id }) => id));
  const values = counted
    .filter(({ agentId }) => listed.has(agentId))
    .map(({ agentId, day, views }) => ({ agent_id: agentId, day, views }));
  if (values.length === 0) return;
  await transaction
    .insertInto('agent_views')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['agent_id', 'day'])
        .doUpdateSet((update) => ({ views: update('agent_views.views', '+', update.ref('excluded.views')) })),
    )
    .execute();
}

/** Forgets the views of agents that are too old. */
export async function forgetViews(db: Kysely<Tables>, time: number): Promise<void> {
  await db
    .deleteFrom('agent_views')
    .where('day', '<', toDay(time - KEPT_TIME))
    .execute();
}

export function createViewCounter({ store, onError, now = () => Date.now() }: ViewCounterOptions) {
  const { count, flush, betweenWrites, close } = createFlushedCounter({ write, onError });
  /** Views by day that are not written yet. */
  const unwritten = new Map<string, number>();
  let written: { fromDay: string; views: number } | undefined;

  return {
    count: (agentId: string): void => {
      const day = toDay(now());
      unwritten.set(day, (unwritten.get(day) ?? 0) + 1);
      count({ day, name: agentId, amount: 1 });
    },
    /** The views of an agent on each of the last 30 days that has some, as far as they are written. */
    ofAgent: (id: string): Promise<DayViews[]> => store.ofAgent(id, toFirstDay(now())),
    /**
     * Sums the views of the last 30 days. Views of this process count immediately, views of other processes within
     * seconds. Synchronous except for the first call of a day.
     */
    monthlyViews: (): number | Promise<number> => {
      const fromDay = toFirstDay(now());
      if (written?.fromDay === fromDay) return addUnwritten(written);
      return betweenWrites(() => readWritten(fromDay)).then(addUnwritten);
    },
    flush,
    close,
  };

  function addUnwritten({ fromDay, views }: { fromDay: string; views: number }): number {
    return [...unwritten].reduce((sum, [day, counted]) => (day >= fromDay ? sum + counted : sum), views);
  }

  async function readWritten(fromDay: string) {
    const views = await store.sum(fromDay);
    return (written = { fromDay, views });
  }

  async function write(counts: readonly Count[]): Promise<void> {
    if (counts.length > 0) {
      const agentViews = counts.map(({ day, name: agentId, amount: views }) => ({ day, agentId, views }));
      const days = new Map<string, number>();
      for (const { day, views } of agentViews) days.set(day, (days.get(day) ?? 0) + views);
      await store.add(days, agentViews);
      for (const [day, views] of days) {
        const left = (unwritten.get(day) ?? 0) - views;
        if (left > 0) unwritten.set(day, left);
        else unwritten.delete(day);
        if (written && day >= written.fromDay) written.views += views;
      }
    }
    // Reads the views that other processes have written since.
    if (written) await readWritten(toFirstDay(now())).catch(onError);
  }
}
