// The thread in which a SQLite file is searched.
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import SQLite from 'better-sqlite3';
import { createAgentSearch } from '../search/agent-search.ts';
import type { SearchHits } from './engine.ts';
import type { SearchAnswer, SearchQuestion } from './sqlite-search-thread.ts';
import { tidyTokens } from './sqlite-tidying.ts';
import { createSqliteTokenReader } from './sqlite-tokens.ts';

/** How long a statement waits for a lock, in milliseconds; a reader of a WAL file waits for none but at its very beginning. */
const BUSY_TIMEOUT = 5_000;

/** How long after its start, and after each time, the thread puts the index in order, in milliseconds. */
const TIDYING = { first: 1_000, later: 3_600_000 };

const path = workerData as string;
const connection = new SQLite(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
const search = createAgentSearch(createSqliteTokenReader(connection));

parentPort?.on('message', ({ id, request }: SearchQuestion) => {
  const begin = performance.now();
  const answer = (
    result: { hits: SearchHits | undefined } | { failure: { code: string | undefined; message: string } },
  ) =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage({ id, duration: performance.now() - begin, ...result } satisfies SearchAnswer);
  search(request).then(
    (hits) => answer({ hits }),
    // An error itself would arrive without its code.
    ({ code, message }: Error & { code?: string }) => answer({ failure: { code, message } }),
  );
});

void keepTidy();

async function keepTidy(): Promise<void> {
  for (let pause = TIDYING.first; ; pause = TIDYING.later) {
    await setTimeout(pause);
    // Where it cannot write now, what is left is done the next time; searches only read.
    await tidyTokens(path).catch(() => {});
  }
}
