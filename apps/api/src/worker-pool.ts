import type { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { Piscina } from 'piscina';
import { OverloadError } from './registry-error.ts';

/** Options of a pool: the file and export that run tasks, and the bounds of its threads. */
export type WorkerPoolOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]> & {
  /** How long a task may take, in milliseconds, before its thread is ended; 10 s by default. */
  timeLimit?: number;
  /** How much processor time a task of a pool with one thread may take, in milliseconds; no limit by default. */
  processorLimit?: number;
};

/** A task took too long, and its thread was ended. */
export class TaskEndedError extends OverloadError {}

type RunTask<Task, Result> = (task: Task) => Promise<Result>;
/** How often the processor time of a thread is read, in milliseconds. */
const READ_INTERVAL = 250;

/**
 * Creates a pool of worker threads, which start with the first task, and returns the function that runs a task. If a
 * thread cannot start, for example for lack of file descriptors, the error is logged and the tasks that wait for it
 * reject with an `OverloadError`. The next task starts another one. A task without an end would block all others, so its
 * thread is ended and it rejects with a `TaskEndedError`.
 * @param app ends the threads and logs their errors; without it idle threads end with the process, and nothing is logged
 */
export function createWorkerPool<Task, Result>(
  app: FastifyInstance | undefined,
  { timeLimit = 10_000, processorLimit = Infinity, ...options }: WorkerPoolOptions,
): RunTask<Task, Result> {
  // With atomics the thread would wait for tasks without its event loop, which frees what earlier tasks have used.
  const pool = new Piscina<Task, Result>({ minThreads: 0, atomics: 'disabled', ...options });
  // Piscina keeps the tasks of a thread that could not start, and emits its error here.
  pool.on('error', (error) => app?.log.error({ err: error }, 'A worker thread could not start.'));
  app?.addHook('onClose', () => pool.destroy());
  return async (task) => {
    const failure = new AbortController();
    const fail = (error: unknown) => failure.abort(error);
    pool.once('error', fail);
    const end = (limit: string) => {
      const error = new TaskEndedError(`A worker thread took more than ${limit} and was ended.`);
      app?.log.error(error);
      fail(error);
    };
    const timer = setTimeout(() => end(`${timeLimit} ms`), timeLimit);
    let before: NodeJS.CpuUsage | undefined;
    const reader = setInterval(async () => {
      // The thread of a first task starts with it.
      const [thread] = pool.threads;
      const used = thread && (await readProcessorTime(thread, before));
      if (before && used && used.user + used.system > processorLimit * 1_000)
        end(`${processorLimit} ms of processor time`);
      before ??= used;
    }, READ_INTERVAL);
    try {
      return await pool.run(task, { signal: failure.signal });
    } catch (error) {
      if (!failure.signal.aborted) throw error;
      const { reason } = failure.signal;
      throw reason instanceof TaskEndedError ? reason : new OverloadError('A worker thread failed', { cause: reason });
    } finally {
      clearTimeout(timer);
      clearInterval(reader);
      pool.off('error', fail);
    }
  };
}

/** Reads the processor time of a thread, since an earlier reading if given; none before Node 24.6 and from an ended thread. */
async function readProcessorTime(thread: Worker, before?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage> {
  const none = { user: 0, system: 0 };
  return 'cpuUsage' in thread ? thread.cpuUsage(before).catch(() => none) : none;
}
