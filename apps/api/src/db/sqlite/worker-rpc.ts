import { extname } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';

type Question<Request> = { id: number; request: Request };
type Answer<Result> = { id: number } & (
  | { result: Result }
  | { failure: { code: string | undefined; message: string } }
);

/** How long an answer may wait for those to questions that came with its own, in milliseconds. */
const MAX_WAIT = 1;

/** Room for what a thread makes and soon forgets, in megabytes: more of it would stay taken. */
const YOUNG_GENERATION = 4;

/** A thread that is asked, and answers. */
export type Thread<Request, Result> = {
  /** Asks the thread; an error of the thread arrives as one with its message and `code`. */
  ask(request: Request): Promise<Result>;
  /** How long the question has waited that waits longest, in milliseconds; 0 where none waits. */
  longestWait(): number;
  /** Ends the thread; what it has not answered by then fails. */
  close(): Promise<void>;
};

/**
 * Makes a thread that runs a file of this folder, which answers by `serveRpc`. It starts with the first question,
 * and again after it broke; while nobody waits for it, it keeps no process alive. What it is asked goes to it together,
 * since to wake a thread may take as long as what it is asked.
 * @param file the name of the file without its extension, which is another in the bundle
 * @param workerData what the file finds as its `workerData`
 * @param schedule when that goes which was asked: `setImmediate` waits for what all requests ask that have come by now,
 * `process.nextTick` only for what the one asks that is being answered
 */
export function createWorkerRpc<Request, Result>(
  file: string,
  workerData: unknown,
  schedule: (post: () => void) => unknown,
): Thread<Request, Result> {
  const url = new URL(`./${file}${extname(import.meta.filename)}`, import.meta.url);
  let worker: Worker | undefined;
  let lastId = 0;
  // In the order in which they were asked.
  const waiting = new Map<number, PromiseWithResolvers<Result> & { askedAt: number }>();
  let unasked: Question<Request>[] = [];

  return {
    ask(request) {
      const answer = { ...Promise.withResolvers<Result>(), askedAt: performance.now() };
      lastId += 1;
      waiting.set(lastId, answer);
      unasked.push({ id: lastId, request });
      worker ??= start();
      worker.ref();
      if (unasked.length === 1) schedule(post);
      return answer.promise;
    },

    longestWait() {
      const [first] = waiting.values();
      return first ? performance.now() - first.askedAt : 0;
    },

    async close() {
      await worker?.terminate();
    },
  };

  function post(): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (unasked.length > 0) worker?.postMessage(unasked);
    unasked = [];
  }

  function start(): Worker {
    const started = new Worker(url, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION } });
    started.on('message', (answers: Answer<Result>[]) => {
      for (const answer of answers) {
        const { resolve, reject } = waiting.get(answer.id) ?? {};
        waiting.delete(answer.id);
        if ('failure' in answer) reject?.(Object.assign(new Error(answer.failure.message), answer.failure));
        else resolve?.(answer.result);
      }
      if (waiting.size === 0) started.unref();
    });
    started.on('error', (error) => stop(started, error));
    started.on('exit', () => stop(started, new Error('The thread has ended.')));
    return started;
  }

  function stop(stopped: Worker, error: unknown): void {
    if (worker !== stopped) return;
    worker = undefined;
    unasked = [];
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
}

/** Answers what the thread that this runs in is asked, one question after the other. */
export function serveRpc(answer: (request: never) => unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const post = (answers: Answer<unknown>[]) => parentPort?.postMessage(answers);
  parentPort?.on('message', async (questions: Question<never>[]) => {
    let answers: Answer<unknown>[] = [];
    let begin = performance.now();
    for (const question of questions) {
      answers.push(await toAnswer(question));
      if (performance.now() - begin < MAX_WAIT) continue;
      post(answers);
      answers = [];
      begin = performance.now();
    }
    if (answers.length > 0) post(answers);
  });

  async function toAnswer({ id, request }: Question<never>): Promise<Answer<unknown>> {
    try {
      return { id, result: await answer(request) };
    } catch (error) {
      // An error itself would arrive without its code.
      const { code, message } = error as Error & { code?: string };
      return { id, failure: { code, message } };
    }
  }
}
