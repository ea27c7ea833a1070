import { extname } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';

type Question<Request> = { id: number; request: Request };
type Answer<Result> = { id: number } & (
  | { result: Result }
  | { failure: { code: string | undefined; message: string } }
);

/** A thread that is asked, and answers. */
export type Thread<Request, Result> = {
  /** Asks the thread; an error of the thread arrives as one with its message and `code`. */
  ask(request: Request): Promise<Result>;
  /** Ends the thread; what it has not answered by then fails. */
  close(): Promise<void>;
};

/**
 * Makes a thread that runs a file of this folder, which answers by `answerQuestions`. It starts with the first question,
 * and again after it broke; while nobody waits for it, it keeps no process alive.
 * @param file the name of the file without its extension, which is another in the bundle
 * @param workerData what the file finds as its `workerData`
 */
export function createThread<Request, Result>(file: string, workerData: unknown): Thread<Request, Result> {
  const url = new URL(`./${file}${extname(import.meta.filename)}`, import.meta.url);
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Result>>();

  return {
    ask(request) {
      const answer = Promise.withResolvers<Result>();
      lastId += 1;
      waiting.set(lastId, answer);
      worker ??= start();
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ id: lastId, request } satisfies Question<Request>);
      return answer.promise;
    },

    async close() {
      await worker?.terminate();
    },
  };

  function start(): Worker {
    const started = new Worker(url, { workerData });
    started.on('message', (answer: Answer<Result>) => {
      const { resolve, reject } = waiting.get(answer.id) ?? {};
      waiting.delete(answer.id);
      if ('failure' in answer) reject?.(Object.assign(new Error(answer.failure.message), answer.failure));
      else resolve?.(answer.result);
      if (waiting.size === 0) started.unref();
    });
    started.on('error', (error) => stop(started, error));
    started.on('exit', () => stop(started, new Error('The thread has ended.')));
    return started;
  }

  function stop(stopped: Worker, error: unknown): void {
    if (worker !== stopped) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
}

/** Answers what the thread that this runs in is asked. */
export function answerQuestions(answer: (request: never) => unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const post = (message: Answer<unknown>) => parentPort?.postMessage(message);
  parentPort?.on('message', ({ id, request }: Question<never>) => {
    const fail = ({ code, message }: Error & { code?: string }) =>
      // An error itself would arrive without its code.
      post({ id, failure: { code, message } });
    try {
      const result = answer(request);
      if (result instanceof Promise) result.then((given: unknown) => post({ id, result: given }), fail);
      else post({ id, result });
    } catch (error) {
      fail(error as Error);
    }
  });
}
