import { OverloadError } from '../registry-error.ts';
import { networkOf } from './rate-limiter.ts';

export type TaskClient = {
  /** The IP address; an IPv6 /48 counts as one client. */
  address: string | undefined;
  /** Removes the task while it waits. */
  signal?: AbortSignal | undefined;
};

/** Runs a task when its turn comes; rejects with `QueueFullError`, or with the signal's reason if it aborts before. */
export type RunInTurn = <Result>(task: () => Promise<Result>, client: TaskClient) => Promise<Result>;

export class QueueFullError extends OverloadError {}

type WaitingTask = {
  start: () => void;
  refuse: (reason: Error) => void;
};

export const MAX_WAITING_PER_CLIENT = 50;
const MAX_WAITING = 4 * MAX_WAITING_PER_CLIENT;

/**
 * Creates a bounded queue of so many tasks at once, whose clients take turns; those of a client run in order. In a full queue a
 * client with fewer tasks takes the place of the last task of the client with the most.
 */
export function createTaskQueue(concurrency: number): RunInTurn {
  /** The waiting tasks of each client. The client whose turn is next comes first. */
  const lines = new Map<string, Set<WaitingTask>>();
  let running = 0;
  let waiting = 0;

  return async (task, { address, signal }) => {
    signal?.throwIfAborted();
    if (running < concurrency) running += 1;
    else await waitForTurn(address, signal);
    try {
      return await task();
    } finally {
      // The place stays taken until then, so that no new task overtakes a waiting one.
      setImmediate(startNext);
    }
  };

  function startNext(): void {
    const [next] = lines;
    if (!next) {
      running -= 1;
      return;
    }
    const [key, line] = next;
    const [task] = line;
    // The client goes to the end of the line of clients.
    lines.delete(key);
    lines.set(key, line);
    task?.start();
  }

  async function waitForTurn(address: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    const key = networkOf(address);
    const line = lines.get(key) ?? new Set();
    if (line.size >= MAX_WAITING_PER_CLIENT) throw new QueueFullError('Too many tasks of the client are waiting.');
    if (waiting >= MAX_WAITING) makeRoom(line.size + 1);
    await new Promise<void>((resolve, reject) => {
      const task: WaitingTask = {
        start() {
          leave();
          resolve();
        },
        refuse(reason) {
          leave();
          reject(reason);
        },
      };
      const cancel = () => task.refuse(signal?.reason as Error);
      const leave = () => {
        waiting -= 1;
        line.delete(task);
        if (line.size === 0) lines.delete(key);
        signal?.removeEventListener('abort', cancel);
      };
      waiting += 1;
      lines.set(key, line.add(task));
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Refuses the last task of the client with the most, so that a few clients do not fill the queue. */
  function makeRoom(share: number): void {
    const error = new QueueFullError('Too many tasks are waiting.');
    const longest = [...lines.values()].reduce((one, other) => (other.size > one.size ? other : one));
    if (longest.size <= share) throw error;
    [...longest].at(-1)?.refuse(error);
  }
}
