import { createAgentSearch, type SearchHits, type SearchRequest } from '../../search/agent-search.ts';

import { openSqliteReader } from './connection.ts';
import { createSqliteTokenReader } from './token-index.ts';

/** The result of a search. */
export type SearchAnswer = {
  /** In milliseconds. */
  duration: number;
  hits: SearchHits | undefined;
};

/** The search in a SQLite file. */
export type SqliteSearch = {
  /** Searches in the calling thread, one search at a time. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** Closes the connection after the last search. */
  close(): Promise<void>;
};

/** Opens a SQLite file for searches, on a connection of its own. */
export function openSqliteSearch(path: string): SqliteSearch {
  const connection = openSqliteReader(path);
  const search = createAgentSearch(createSqliteTokenReader(connection));
  // All statements of a search read one snapshot.
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
