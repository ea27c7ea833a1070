import { createAgentSearch, type SearchHits, type SearchRequest } from '../../search/search.ts';
import { openSqliteReader, prepareStatements } from './connection.ts';
import { createSqliteTokenReader } from './token-index.ts';

/** A search, or a statement that reads much. */
export type ReadRequest = SearchRequest | { statement: string; parameters: readonly unknown[] };

export type ReadAnswer = {
  /** In milliseconds. */
  duration: number;
  hits?: SearchHits | undefined;
  rows?: unknown[];
};

/** Opens a SQLite file for searches, on a connection of its own. */
export function openSqliteSearch(path: string) {
  const connection = openSqliteReader(path);
  const search = createAgentSearch(createSqliteTokenReader(connection));
  const runStatement = prepareStatements(connection);
  // All statements of a search read one snapshot.
  const [beginReading, endReading] = [connection.prepare('BEGIN'), connection.prepare('COMMIT')];
  let lastTurn: Promise<unknown> = Promise.resolve();

  return {
    /** Searches or reads in the calling thread, one request at a time. */
    read(request: ReadRequest): Promise<ReadAnswer> {
      const turn = lastTurn.then(() => run(request));
      lastTurn = turn.catch(() => {});
      return turn;
    },
    /** Closes the connection after the last search. */
    async close(): Promise<void> {
      await lastTurn;
      connection.close();
    },
  };

  async function run(request: ReadRequest): Promise<ReadAnswer> {
    const begin = performance.now();
    beginReading.run();
    try {
      const answer =
        'statement' in request ? runStatement(request.statement, request.parameters) : { hits: await search(request) };
      return { ...answer, duration: performance.now() - begin };
    } finally {
      endReading.run();
    }
  }
}
