import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Engine, QueryListener, SearchHits, SearchRequest } from './engine.ts';
import { toOutage } from './sqlite-outages.ts';

// Beside this file, from source as well as built.
const WORKER = new URL(`./sqlite-search-worker${extname(import.meta.filename)}`, import.meta.url);

/** What is asked of the thread. */
export type SearchQuestion = { id: number; request: SearchRequest };

/** What the thread answers. */
export type SearchAnswer = {
  id: number;
  /** How long the search took, in milliseconds. */
  duration: number;
} & ({ hits: SearchHits | undefined } | { failure: { code: string | undefined; message: string } });

/** Searches that run in a thread of their own. */
export type SearchThread = Pick<Engine, 'search' | 'close'>;

/**
 * Searches a SQLite file in a thread with a connection of its own, since SQLite answers in the thread that asks, and a long
 * search would hold up everybody. The thread starts with the first search, and again after it broke.
 */
export function createSearchThread(path: string, onQuery?: QueryListener): SearchThread {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<SearchHits | undefined>>();

  return {
    search(request) {
      const answer = Promise.withResolvers<SearchHits | undefined>();
      lastId += 1;
      waiting.set(lastId, answer);
      worker ??= start();
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ id: lastId, request } satisfies SearchQuestion);
      return answer.promise;
    },

    async close() {
      await worker?.terminate();
    },
  };

  function start(): Worker {
    const started = new Worker(WORKER, { workerData: path });
    started.on('message', (answer: SearchAnswer) => {
      const { resolve, reject } = waiting.get(answer.id) ?? {};
      waiting.delete(answer.id);
      onQuery?.(answer.duration);
      if ('failure' in answer) reject?.(toOutage(Object.assign(new Error(answer.failure.message), answer.failure)));
      else resolve?.(answer.hits);
      // While nobody waits for it, it keeps no process alive.
      if (waiting.size === 0) started.unref();
    });
    started.on('error', (error) => stop(started, error));
    started.on('exit', () => stop(started, new Error('The search has ended.')));
    return started;
  }

  function stop(stopped: Worker, error: unknown): void {
    if (worker !== stopped) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
}
