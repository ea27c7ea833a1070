import type { ViewStore } from './view-store.ts';

/** Days over which monthly views are summed, today included. */
const MONTH_DAYS = 30;
/** How often counted views are written to the store, in milliseconds. */
const FLUSH_INTERVAL = 10_000;
const DAY = 86_400_000;

/** Counts views in memory and writes them to the store in the background, so that a read never writes. */
export type ViewCounter = {
  /** Counts one view, now. */
  count(): void;
  /**
   * The views of the last 30 days: those counted here at once, those of other processes within some seconds. ResponseReport at
   * once but for the first time in a day.
   */
  monthlyViews(): number | Promise<number>;
  /** Writes what was counted; views that cannot be written stay counted for the next time. */
  flush(): Promise<void>;
  /** Stops writing in the background, then writes the rest. */
  close(): Promise<void>;
};

/** What a view counter works with. */
export type ViewCounterOptions = {
  store: ViewStore;
  /** Told of a write in the background that failed. */
  onError: (error: unknown) => void;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
};

/** Starts counting views. */
export function createViewCounter({ store, onError, now = () => Date.now() }: ViewCounterOptions): ViewCounter {
  let pending = new Map<string, number>();
  // While they are being written they are in neither of the other two places.
  let underWay = new Map<string, number>();
  let written: { fromDay: string; views: number } | undefined;
  const writeToday = createDayWriter();
  const writeFirstDay = createDayWriter();
  let lastTask: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => void flush().then(refresh).catch(onError), FLUSH_INTERVAL).unref();

  return {
    count: () => add(writeToday(Math.floor(now() / DAY)), 1),
    monthlyViews: () => {
      const fromDay = firstDay();
      return written?.fromDay === fromDay ? sumFrom(fromDay, written.views, pending, underWay) : readAndSum(fromDay);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };

  function add(day: string, views: number) {
    pending.set(day, (pending.get(day) ?? 0) + views);
  }

  function firstDay(): string {
    return writeFirstDay(Math.floor(now() / DAY) - (MONTH_DAYS - 1));
  }

  /** What was written, and what of some counts is of the same days. */
  function sumFrom(fromDay: string, writtenViews: number, ...counts: Map<string, number>[]): number {
    let sum = writtenViews;
    for (const days of counts) {
      for (const [day, views] of days) if (day >= fromDay) sum += views;
    }
    return sum;
  }

  async function readAndSum(fromDay: string): Promise<number> {
    const { views } = await oneByOne(() => readWritten(fromDay));
    return sumFrom(fromDay, views, pending, underWay);
  }

  /** Reads again what other processes may have written, if anybody has ever asked. */
  async function refresh(): Promise<void> {
    if (written) await oneByOne(() => readWritten(firstDay()));
  }

  async function readWritten(fromDay: string) {
    const views = await store.sum(fromDay);
    return (written = { fromDay, views });
  }

  function oneByOne<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = lastTask.then(task, task);
    lastTask = result;
    return result;
  }

  function flush(): Promise<void> {
    return oneByOne(async () => {
      if (pending.size === 0) return;
      underWay = pending;
      pending = new Map();
      try {
        await store.add(underWay);
        if (written) written.views = sumFrom(written.fromDay, written.views, underWay);
      } catch (error) {
        for (const [day, count] of underWay) add(day, count);
        throw error;
      } finally {
        underWay = new Map();
      }
    });
  }
}

/** Writes days, given by their number since 1970, as `2026-01-31`; the last from memory, since most answers ask for one. */
function createDayWriter(): (day: number) => string {
  let last = { day: Number.NaN, text: '' };
  return (day) => {
    if (day !== last.day) last = { day, text: new Date(day * DAY).toISOString().slice(0, 10) };
    return last.text;
  };
}
