/** Runs a task when its turn comes; rejects with `QueueFullError`, or with the signal's reason if it aborts before. */
export type RunInTurn = <Result>(task: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** Too many tasks are waiting. */
export class QueueFullError extends Error {}

/**
 * Creates a bounded queue that runs one task at a time, in the order of arrival.
 * Removes a waiting task as soon as its signal aborts; a running task is not interrupted.
 * @param maxWaiting most tasks that wait besides the running one
 */
export function createTaskQueue(maxWaiting: number): RunInTurn {
  const waiting = new Set<() => void>();
  let isBusy = false;

  return async (task, signal) => {
    signal.throwIfAborted();
    if (isBusy) await waitForTurn(signal);
    isBusy = true;
    try {
      return await task();
    } finally {
      const [next] = waiting;
      // The queue stays busy for the next task, so that none overtakes it.
      isBusy = next !== undefined;
      next?.();
    }
  };

  async function waitForTurn(signal: AbortSignal): Promise<void> {
    if (waiting.size >= maxWaiting) throw new QueueFullError('Too many tasks are waiting.');
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        waiting.delete(start);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(start);
        reject(signal.reason as Error);
      };
      waiting.add(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
