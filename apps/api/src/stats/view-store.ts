import { MONTH_DAYS } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { chunksOf } from '../db/records.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';

/** Counts views in memory and writes them to the store in the background. */
export type ViewCounter = ReturnType<typeof createViewCounter>;

export type DayViews = { day: string; views: number };
type AgentViews = DayViews & { agentId: string };

const DAY = 86_400_000;
/** How often views are written, in milliseconds. */
const FLUSH_INTERVAL = 10_000;
/** How long the views of an agent are kept, in milliseconds. */
const KEPT_TIME = 400 * DAY;

/** The UTC day of a time in milliseconds since 1970. */
function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first of the last 30 days, today included. */
export function toFirstDay(time: number): string {
  return toDay(time - (MONTH_DAYS - 1) * DAY);
}

/** The last 30 days, today included, oldest first. */
export function lastMonth(): string[] {
  const first = Date.parse(toFirstDay(Date.now()));
  return Array.from({ length: MONTH_DAYS }, (_, index) => toDay(first + index * DAY));
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

export async function forgetViews(db: Kysely<Tables>, time: number): Promise<void> {
  await db
    .deleteFrom('agent_views')
    .where('day', '<', toDay(time - KEPT_TIME))
    .execute();
}

type ViewCounterOptions = { store: ViewStore; onError: (error: unknown) => void; now?: () => number };

export function createViewCounter({ store, onError, now = () => Date.now() }: ViewCounterOptions) {
  /** The views of agents by day that no write has taken. */
  let pending = new Map<string, AgentViews>();
  /** Views by day that are not written yet. */
  const unwritten = new Map<string, number>();
  let written: { fromDay: string; views: number } | undefined;
  let lastTask: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => void flush().catch(onError), FLUSH_INTERVAL).unref();

  return {
    count: (agentId: string): void => {
      const day = toDay(now());
      unwritten.set(day, (unwritten.get(day) ?? 0) + 1);
      add({ day, agentId, views: 1 });
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
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };

  function add({ day, agentId, views }: AgentViews): void {
    const key = `${day} ${agentId}`;
    pending.set(key, { day, agentId, views: views + (pending.get(key)?.views ?? 0) });
  }

  /** Writes what was counted; after an error it stays counted for the next flush. */
  function flush(): Promise<void> {
    return betweenWrites(async () => {
      const counted = [...pending.values()];
      pending = new Map();
      try {
        if (counted.length > 0) await write(counted);
      } catch (error) {
        for (const views of counted) add(views);
        throw error;
      }
      // Reads the views that other processes have written since.
      if (written) await readWritten(toFirstDay(now())).catch(onError);
    });
  }

  /** Runs a task while nothing is being written. */
  function betweenWrites<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = lastTask.then(task, task);
    lastTask = result;
    return result;
  }

  function addUnwritten({ fromDay, views }: { fromDay: string; views: number }): number {
    return [...unwritten].reduce((sum, [day, counted]) => (day >= fromDay ? sum + counted : sum), views);
  }

  async function readWritten(fromDay: string) {
    const views = await store.sum(fromDay);
    return (written = { fromDay, views });
  }

  async function write(counted: readonly AgentViews[]): Promise<void> {
    const days = new Map<string, number>();
    for (const { day, views } of counted) days.set(day, (days.get(day) ?? 0) + views);
    await store.add(days, counted);
    for (const [day, views] of days) {
      const left = (unwritten.get(day) ?? 0) - views;
      if (left > 0) unwritten.set(day, left);
      else unwritten.delete(day);
      if (written && day >= written.fromDay) written.views += views;
    }
  }
}
