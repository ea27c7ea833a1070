// The thread in which a SQLite file is searched.
import { setTimeout } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { createAgentSearch } from '../search/agent-search.ts';
import type { SearchHits, SearchRequest } from './engine.ts';
import { openSqliteReader } from './sqlite-file.ts';
import { tidyTokens } from './sqlite-tidying.ts';
import { createSqliteTokenReader } from './sqlite-tokens.ts';
import { answerQuestions } from './thread.ts';

/** How long after its start, and after each time, the thread puts the index in order, in milliseconds. */
const TIDYING = { first: 1_000, later: 3_600_000 };

/** What the thread answers. */
export type SearchAnswer = {
  /** How long the search took, in milliseconds. */
  duration: number;
  hits: SearchHits | undefined;
};

const path = workerData as string;
const connection = openSqliteReader(path);
const search = createAgentSearch(createSqliteTokenReader(connection));
// All statements of a search see one state, which is opened once for all.
const [beginReading, endReading] = [connection.prepare('BEGIN'), connection.prepare('COMMIT')];

answerQuestions(async (request: SearchRequest): Promise<SearchAnswer> => {
  const begin = performance.now();
  beginReading.run();
  try {
    return { hits: await search(request), duration: performance.now() - begin };
  } finally {
    endReading.run();
  }
});
void keepTidy();

async function keepTidy(): Promise<void> {
  for (let pause = TIDYING.first; ; pause = TIDYING.later) {
    await setTimeout(pause);
    // Where it cannot write now, what is left is done the next time; searches only read.
    await tidyTokens(path).catch(() => {});
  }
}
