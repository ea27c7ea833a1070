import type { Kysely } from 'kysely';
import type { FieldsOf } from '../db/record-kinds.ts';
import { toColumnName, toRecord } from '../db/records.ts';
import type { AgentEvent, Listener } from '../agents/agent-rows.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';

/** How often counts are written, in milliseconds. */
const FLUSH_INTERVAL = 10_000;

/** How often something was counted on a day. */
export type Count = { day: string; name: string; amount: number };

type FlushedCounterOptions = {
  /** Writes all of the counts or, if it rejects, none. */
  write: (counts: Count[]) => Promise<void>;
  /** Called with the error of a background write. */
  onError: (error: unknown) => void;
};

const DAY = 86_400_000;
/** How many days are kept: as long as changes. */
export const MAX_FIGURE_DAYS = 400;
/** How long figures are kept, in milliseconds. */
export const FIGURES_PERIOD = MAX_FIGURE_DAYS * DAY;
/** The days that are read by default. */
const SHOWN_DAYS = 90;

/** The figures that are counted here. The views of a day are counted with those of agents. */
export type Figures = Omit<FieldsOf<'figures'>, 'day'>;

/** The figures of a UTC day, such as `2026-11-21`. */
export type DailyFigures = Figures & { day: string; views: number };

const noFigures: Figures = { registrations: 0, edits: 0, reports: 0, searchesWithoutResult: 0, rateLimitedCalls: 0 };

/** The UTC day of a time in milliseconds since 1970. */
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The last days, today included, oldest first. */
export function lastDays(count: number, now = Date.now()): string[] {
  return Array.from({ length: count }, (_, index) => toDay(now - (count - 1 - index) * DAY));
}

/**
 * Adds to the figures of a day, alone or at the end of the transaction that has done what is counted: all writers of a day
 * share its row.
 * @param day the UTC day, such as `2026-11-21`
 */
export async function addToFigures(db: Kysely<Tables>, day: string, added: Partial<Figures>): Promise<void> {
  const counted = Object.entries(added).filter(([, times]) => times > 0);
  if (counted.length === 0) return;
  const row = Object.fromEntries(counted.map(([name, times]) => [toColumnName(name), times]));
  const columns = Object.keys(row) as Exclude<keyof Tables['daily_figures'], 'day'>[];
  await db
    .insertInto('daily_figures')
    .values({ day, ...row })
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet((update) =>
          Object.fromEntries(
            columns.map((column) => [
              column,
              update(update.ref(`daily_figures.${column}`), '+', update.ref(`excluded.${column}`)),
            ]),
          ),
        ),
    )
    .execute();
}

const countedEvents: Partial<Record<AgentEvent['type'], keyof Figures>> = {
  registered: 'registrations',
  edited: 'edits',
  reported: 'reports',
};

/**
 * Creates the listener that counts what people do to agents.
 * @param now the time, in milliseconds since 1970
 */
export function createFigureListener(now: () => number): Listener {
  return async (transaction, { type, agents }) => {
    const figure = countedEvents[type];
    if (figure) await addToFigures(transaction, toDay(now()), { [figure]: agents.length });
  };
}

/** The figures of requests that write nothing. The others are counted in the transaction of what they count. */
type CountedFigure = 'searchesWithoutResult' | 'rateLimitedCalls';

/** Counts figures in memory and adds them to their days in the background. */
export type FigureCounter = ReturnType<typeof createFigureCounter>;

type FigureCounterOptions = {
  engine: Pick<Engine, 'db' | 'isStandby'>;
  /** Called with the error of a background write. */
  onError: (error: unknown) => void;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
};

export function createFigureCounter({ engine, onError, now = () => Date.now() }: FigureCounterOptions) {
  const { count, flush, close } = createFlushedCounter({
    onError,
    async write(counts) {
      if (counts.length === 0 || (await engine.isStandby())) return;
      await engine.db.transaction().execute(async (transaction) => {
        // All processes update the rows of days in one order.
        for (const { day, name, amount } of counts.toSorted((one, other) => (one.day < other.day ? -1 : 1))) {
          await addToFigures(transaction, day, { [name]: amount });
        }
      });
    },
  });
  return {
    /** Adds to a figure, today. */
    count: (figure: CountedFigure, amount: number): void => count({ day: toDay(now()), name: figure, amount }),
    flush,
    close,
  };
}

/** Reads the figures of the last days, oldest first; days on which nothing happened are zeros. */
export async function readDailyFigures(
  db: Kysely<Tables>,
  { days = SHOWN_DAYS, now = Date.now() }: { days?: number; now?: number } = {},
): Promise<DailyFigures[]> {
  const shown = lastDays(days, now);
  const first = shown[0] ?? '';
  const rows = await db.selectFrom('daily_figures').selectAll().where('day', '>=', first).execute();
  const viewed = await db.selectFrom('daily_views').selectAll().where('day', '>=', first).execute();
  const figures = new Map(rows.map((row) => [row.day, toRecord('figures', row)]));
  const views = new Map(viewed.map((row) => [row.day, row.views]));
  return shown.map((day) => ({ day, ...noFigures, ...figures.get(day), views: views.get(day) ?? 0 }));
}

/**
 * Deletes the figures that are older than 400 days.
 * @param time the time, in milliseconds since 1970
 */
export async function forgetFigures(db: Kysely<Tables>, time: number): Promise<void> {
  await db
    .deleteFrom('daily_figures')
    .where('day', '<', toDay(time - FIGURES_PERIOD))
    .execute();
}

/** Counts in memory and writes in the background, so that a read never writes. */
export function createFlushedCounter({ write, onError }: FlushedCounterOptions) {
  let pending = new Map<string, Count>();
  let lastTask: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => void flush().catch(onError), FLUSH_INTERVAL).unref();

  return { count, flush, betweenWrites, close };

  function count({ day, name, amount }: Count): void {
    const key = `${day} ${name}`;
    const before = pending.get(key)?.amount ?? 0;
    pending.set(key, { day, name, amount: before + amount });
  }

  /** Writes what was counted; after an error it stays counted for the next flush. */
  function flush(): Promise<void> {
    return betweenWrites(async () => {
      const counts = [...pending.values()];
      pending = new Map();
      try {
        await write(counts);
      } catch (error) {
        for (const counted of counts) count(counted);
        throw error;
      }
    });
  }

  /** Stops the background writes and flushes. */
  async function close(): Promise<void> {
    clearInterval(timer);
    await flush();
  }

  /** Runs a task while nothing is being written. */
  function betweenWrites<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = lastTask.then(task, task);
    lastTask = result;
    return result;
  }
}
