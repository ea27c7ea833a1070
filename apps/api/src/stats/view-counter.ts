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
  /** The views of the last 30 days, those not yet written included. */
  monthlyViews(): Promise<number>;
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
  let lastTask: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => void flush().catch(onError), FLUSH_INTERVAL).unref();

  return {
    count: () => add(dayOf(now()), 1),
    monthlyViews: () =>
      oneByOne(async () => {
        const fromDay = dayOf(now() - (MONTH_DAYS - 1) * DAY);
        const written = await store.sum(fromDay);
        return [...pending].reduce((sum, [day, views]) => (day >= fromDay ? sum + views : sum), written);
      }),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };

  function add(day: string, views: number) {
    pending.set(day, (pending.get(day) ?? 0) + views);
  }

  // While views are being written they are in neither place, so nothing is summed meanwhile.
  function oneByOne<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = lastTask.then(task, task);
    lastTask = result;
    return result;
  }

  function flush(): Promise<void> {
    return oneByOne(async () => {
      if (pending.size === 0) return;
      const views = pending;
      pending = new Map();
      try {
        await store.add(views);
      } catch (error) {
        for (const [day, count] of views) add(day, count);
        throw error;
      }
    });
  }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
