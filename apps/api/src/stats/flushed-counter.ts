/** How often counts are written, in milliseconds. */
const FLUSH_INTERVAL = 10_000;

/** Counts by key, such as a day and what was counted on it. */
export type Counts = ReadonlyMap<string, number>;

type FlushedCounterOptions = {
  /** Writes all of the counts or, if it rejects, none. */
  write: (counts: Counts) => Promise<void>;
  /** Called with the error of a background write. */
  onError: (error: unknown) => void;
};

/** Counts in memory and writes in the background, so that a read never writes. */
export function createFlushedCounter({ write, onError }: FlushedCounterOptions) {
  let pending = new Map<string, number>();
  let lastTask: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => void flush().catch(onError), FLUSH_INTERVAL).unref();

  return { count, flush, betweenWrites, close };

  function count(key: string, amount: number): void {
    pending.set(key, (pending.get(key) ?? 0) + amount);
  }

  /** Writes what was counted; after an error it stays counted for the next flush. */
  function flush(): Promise<void> {
    return betweenWrites(async () => {
      const counts = pending;
      pending = new Map();
      try {
        await write(counts);
      } catch (error) {
        for (const [key, amount] of counts) count(key, amount);
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
