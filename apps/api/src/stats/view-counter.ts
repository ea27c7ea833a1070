import { toDay } from '../figures/daily-figures.ts';
import { createFlushedCounter, type Counts } from './flushed-counter.ts';
import { toFirstDay, type DayViews, type ViewStore } from './view-store.ts';

/** Counts views in memory and writes them to the store in the background. */
export type ViewCounter = ReturnType<typeof createViewCounter>;

export type ViewCounterOptions = {
  store: ViewStore;
  /** Called with the error of a background write. */
  onError: (error: unknown) => void;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
};

export function createViewCounter({ store, onError, now = () => Date.now() }: ViewCounterOptions) {
  const { count, flush, betweenWrites, close } = createFlushedCounter({ write, onError });
  /** Views by day that are not written yet. */
  const unwritten = new Map<string, number>();
  let written: { fromDay: string; views: number } | undefined;

  return {
    /** Counts one view of an agent, now. */
    count: (agentId: string): void => {
      const day = toDay(now());
      unwritten.set(day, (unwritten.get(day) ?? 0) + 1);
      count(`${day} ${agentId}`, 1);
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

  async function write(counts: Counts): Promise<void> {
    if (counts.size > 0) {
      const agentViews = Array.from(counts, ([key, views]) => {
        const [day = '', agentId = ''] = key.split(' ');
        return { day, agentId, views };
      });
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
