import { createAgentSearch, type SearchHits, type SearchRequest } from '../../search/agent-search.ts';

import { openSqliteReader } from './connection.ts';
import { createSqliteTokenReader } from './token-index.ts';

/** What a search has found. */
export type SearchAnswer = {
  /** How long the search took, in milliseconds. */
  duration: number;
  hits: SearchHits | undefined;
};

/** The search over a SQLite file. */
export type SqliteSearch = {
  /** Searches in the thread that asks, one search after the other. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** Closes the connection when nothing is searched any more. */
  close(): Promise<void>;
};

/** Opens the search over a SQLite file, on a connection of its own. */
export function openSqliteSearch(path: string): SqliteSearch {
  const connection = openSqliteReader(path);
  const search = createAgentSearch(createSqliteTokenReader(connection));
  // All statements of a search see one state, which is opened once for all.
  const [beginReading, endReading] = [connection.prepare('BEGIN'), connection.prepare('COMMIT')];
  let lastTurn: Promise<unknown> = Promise.resolve();

  return {
    search(request) {
      const turn = lastTurn.then(() => run(request));
      lastTurn = turn.catch(() => {});
      return turn;
    },
    async close() {
      await lastTurn;
      connection.close();
    },
  };

  async function run(request: SearchRequest): Promise<SearchAnswer> {
    const begin = performance.now();
    beginReading.run();
    try {
      return { hits: await search(request), duration: performance.now() - begin };
    } finally {
      endReading.run();
    }
  }
}
