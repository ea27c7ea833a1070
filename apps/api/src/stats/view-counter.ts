import { MONTH_DAYS } from '@agent-registry/contracts';
import type { AgentViews, DayViews, ViewStore } from './view-store.ts';

/** How often counted views are written to the store, in milliseconds. */
const FLUSH_INTERVAL = 10_000;
const DAY = 86_400_000;

/** Counts views in memory and writes them to the store in the background, so that a read never writes. */
export type ViewCounter = ReturnType<typeof createViewCounter>;

/** The options of a view counter. */
export type ViewCounterOptions = {
  store: ViewStore;
  /** Called with the error of a background write. */
  onError: (error: unknown) => void;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
};

/** Starts counting views. */
export function createViewCounter({ store, onError, now = () => Date.now() }: ViewCounterOptions) {
  let pending = createCounts();
  // Views that are being written.
  let underWay = createCounts();
  let written: { fromDay: string; views: number } | undefined;
  const writeToday = createDayWriter();
  const writeFirstDay = createDayWriter();
  let lastTask: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => void flush().then(refresh).catch(onError), FLUSH_INTERVAL).unref();

  return {
    /** Counts one view of an agent, now. */
    count: (agentId: string): void => {
      const day = writeToday(Math.floor(now() / DAY));
      increase(pending.days, day, 1);
      increase(pending.agents, `${day} ${agentId}`, 1);
    },
    /** The views of an agent on each of the last 30 days that has some, as far as they are written. */
    ofAgent: (id: string): Promise<DayViews[]> => store.ofAgent(id, firstDay()),
    /**
     * Sums the views of the last 30 days. Views of this process count immediately, views of other processes within
     * seconds. Synchronous except for the first call of a day.
     */
    monthlyViews: (): number | Promise<number> => {
      const fromDay = firstDay();
      return written?.fromDay === fromDay
        ? sumFrom(fromDay, written.views, pending.days, underWay.days)
        : readAndSum(fromDay);
    },
    flush,
    /** Stops the background writes and flushes. */
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };

  function firstDay(): string {
    return writeFirstDay(Math.floor(now() / DAY) - (MONTH_DAYS - 1));
  }

  /** Adds the counted views from a day on to the written views. */
  function sumFrom(fromDay: string, writtenViews: number, ...counts: Map<string, number>[]): number {
    let sum = writtenViews;
    for (const days of counts) {
      for (const [day, views] of days) if (day >= fromDay) sum += views;
    }
    return sum;
  }

  async function readAndSum(fromDay: string): Promise<number> {
    const { views } = await oneByOne(() => readWritten(fromDay));
    return sumFrom(fromDay, views, pending.days, underWay.days);
  }

  /** Reads the views that other processes have written since. */
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

  /** Writes the counted views; after an error they stay counted for the next flush. */
  function flush(): Promise<void> {
    return oneByOne(async () => {
      if (pending.days.size === 0) return;
      underWay = pending;
      pending = createCounts();
      try {
        await store.add(underWay.days, toAgentViews(underWay.agents));
        if (written) written.views = sumFrom(written.fromDay, written.views, underWay.days);
      } catch (error) {
        for (const [day, count] of underWay.days) increase(pending.days, day, count);
        for (const [key, count] of underWay.agents) increase(pending.agents, key, count);
        throw error;
      } finally {
        underWay = createCounts();
      }
    });
  }
}

/** Counted views by day, and by day and agent with a blank between them. */
type Counts = { days: Map<string, number>; agents: Map<string, number> };

function createCounts(): Counts {
  return { days: new Map(), agents: new Map() };
}

function increase(counts: Map<string, number>, key: string, views: number): void {
  counts.set(key, (counts.get(key) ?? 0) + views);
}

function toAgentViews(agents: ReadonlyMap<string, number>): AgentViews[] {
  return Array.from(agents, ([key, views]) => {
    const [day = '', agentId = ''] = key.split(' ');
    return { agentId, day, views };
  });
}

/** Formats days, numbered from 1970, as `2026-01-31`; the last one is memoised, since every view asks for it. */
function createDayWriter(): (day: number) => string {
  let last = { day: Number.NaN, text: '' };
  return (day) => {
    if (day !== last.day) last = { day, text: new Date(day * DAY).toISOString().slice(0, 10) };
    return last.text;
  };
}
