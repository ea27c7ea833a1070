import { setTimeout } from 'node:timers/promises';

type RepeatOptions = {
  /** The pause after each run, in milliseconds. */
  interval: number;
  /** The pause before the first run, in milliseconds; none by default. */
  delay?: number;
  /** Called with the error of a run; the next one tries again. */
  onError: (error: unknown) => void;
};

/** Runs a task again and again until the returned function ends it. It does not keep the process alive. */
export function repeat(
  task: (signal: AbortSignal) => Promise<void>,
  { interval, delay = 0, onError }: RepeatOptions,
): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const running = run();
  return async () => {
    closing.abort();
    await running;
  };

  async function run(): Promise<void> {
    if (delay > 0) await pause(delay);
    while (!signal.aborted) {
      try {
        await task(signal);
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      await pause(interval);
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    await setTimeout(milliseconds, undefined, { ref: false, signal }).catch(() => {});
  }
}
