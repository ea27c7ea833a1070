import { extname } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';

type Call<Request> = { id: number; request: Request };
type Reply<Result> = { id: number } & ({ result: Result } | { error: { code: string | undefined; message: string } });

export type WorkerRpc<Request, Result> = {
  /** Sends a request. An error in the worker rejects with its message and `code`. */
  call(request: Request): Promise<Result>;
  /** The time since the oldest pending call, in milliseconds; 0 when none is pending. */
  longestWait(): number;
  /** Ends the worker; pending calls fail. */
  close(): Promise<void>;
};

/** Otherwise each thread keeps up to 48 MB for new objects after a search. */
const WORKER_HEAP = { maxYoungGenerationSizeMb: 12 };

/**
 * Creates a worker thread that runs a file of this folder, which calls `serveRpc`. The worker starts with the first call,
 * and again after a crash. It keeps the process alive only while calls are pending. Not a pool of Piscina, whose errors
 * lose their code, and which would run the rest of a transaction in another thread after a crash.
 * @param file the name of the file without its extension: `.ts` in the source, `.js` in the bundle
 * @param workerData the `workerData` of the worker
 */
export function createWorkerRpc<Request, Result>(file: string, workerData: unknown): WorkerRpc<Request, Result> {
  const url = new URL(`./${file}${extname(import.meta.filename)}`, import.meta.url);
  let worker: Worker | undefined;
  let lastId = 0;
  // Oldest first.
  const pending = new Map<number, PromiseWithResolvers<Result> & { calledAt: number }>();

  return {
    call(request) {
      const call = { ...Promise.withResolvers<Result>(), calledAt: performance.now() };
      lastId += 1;
      pending.set(lastId, call);
      worker ??= start();
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage({ id: lastId, request } satisfies Call<Request>);
      return call.promise;
    },

    longestWait() {
      const [oldest] = pending.values();
      return oldest ? performance.now() - oldest.calledAt : 0;
    },

    async close() {
      await worker?.terminate();
    },
  };

  function start(): Worker {
    const started = new Worker(url, { workerData, resourceLimits: WORKER_HEAP });
    started.on('message', (reply: Reply<Result>) => {
      const call = pending.get(reply.id);
      pending.delete(reply.id);
      if ('error' in reply) call?.reject(Object.assign(new Error(reply.error.message), reply.error));
      else call?.resolve(reply.result);
      if (pending.size === 0) started.unref();
    });
    started.on('error', (error) => stop(started, error));
    started.on('exit', () => stop(started, new Error('The thread has ended.')));
    return started;
  }

  function stop(stopped: Worker, error: unknown): void {
    if (worker !== stopped) return;
    worker = undefined;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  }
}

/** Answers the calls to the worker thread in which this runs. */
export function serveRpc(answer: (request: never) => unknown): void {
  parentPort?.on('message', async ({ id, request }: Call<never>) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    parentPort?.postMessage({ id, ...(await toReply(request)) });
  });

  async function toReply(request: never) {
    try {
      return { result: await answer(request) };
    } catch (error) {
      // Structured clones of errors lose their code.
      const { code, message } = error as Error & { code?: string };
      return { error: { code, message } };
    }
  }
}
