import { resolve } from 'node:path';
import type SQLite from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { SearchRequest } from '../../search/agent-search.ts';
import { DatabaseBusyError, listenToQueries, type Engine, type QueryListener } from '../engine.ts';
import { createThreadedSqliteDialect } from './dialect.ts';
import { openSqliteFile } from './connection.ts';
import { toOutage } from './errors.ts';
import { openSqliteSearch, type SearchAnswer, type SqliteSearch } from './search.ts';
import { prepareStatements } from './statements.ts';
import { maintainFts } from './fts-maintenance.ts';
import { sqliteTokenWriter } from './token-index.ts';
import type { Tables } from '../tables.ts';
import { createWorkerRpc } from './worker-rpc.ts';

/** A registry of at most so many agents ever is searched in the thread of the event loop: that takes less than to ask another. */
const SMALL = 2_000;

/** How long a search may have waited, in milliseconds, before others are refused: they would wait longer still. */
const MAX_SEARCH_WAIT = 2_000;

/**
 * Opens a SQLite file, created with its folder when missing.
 * @param path the file, absolute or relative to the working directory
 * @throws {DatabaseError} when the file cannot be created, opened or read as a database.
 */
export function openSqlite(path: string, onQuery?: QueryListener): Engine {
  const file = resolve(path);
  const database = openSqliteFile(file);
  const run = prepareStatements(database);
  const db = new Kysely<Tables>({
    dialect: createThreadedSqliteDialect(database, run, file),
    ...listenToQueries(onQuery),
  });
  const isSmall = createSizeCheck(database);
  let searchHere: SqliteSearch | undefined;
  // SQLite answers in the thread that asks, and a search among many agents would hold up everybody.
  const searchThread = createWorkerRpc<SearchRequest, SearchAnswer>('search-worker', file, setImmediate);
  const closing = new AbortController();
  const askThread = (request: SearchRequest) => {
    if (searchThread.longestWait() > MAX_SEARCH_WAIT) throw new DatabaseBusyError('Searches have waited for too long.');
    return searchThread.ask(request);
  };
  let tidying: Promise<void> | undefined;
  return {
    name: 'sqlite',
    db,
    tokens: sqliteTokenWriter,
    async search(request) {
      try {
        tidying ??= maintainFts(db, closing.signal);
        const { hits, duration } = isSmall()
          ? await (searchHere ??= openSqliteSearch(file)).search(request)
          : await askThread(request);
        onQuery?.(duration);
        return hits;
      } catch (error) {
        throw toOutage(error);
      }
    },
    version: readVersion(database),
    // Only one transaction writes a SQLite file at a time.
    lockWrites: async () => {},
    async close() {
      closing.abort();
      await tidying;
      await searchHere?.close();
      await searchThread.close();
      await db.destroy();
    },
  };
}

/** Makes the function that says whether the file is small, hidden agents included: FTS5 also reads past deleted rows. */
function createSizeCheck(database: SQLite.Database): () => boolean {
  let statement: SQLite.Statement<[], number | null> | undefined;
  return () => {
    statement ??= database.prepare<[], number | null>("SELECT seq FROM sqlite_sequence WHERE name = 'agents'").pluck();
    return (statement.get() ?? 0) <= SMALL;
  };
}

// Read at every request, so it is prepared once, and not by way of Kysely.
function readVersion(database: SQLite.Database): () => number {
  let statement: SQLite.Statement<[], number> | undefined;
  return () => {
    try {
      statement ??= database.prepare<[], number>('SELECT sum(changes) FROM agent_counts').pluck();
      return statement.get() ?? 0;
    } catch (error) {
      throw toOutage(error);
    }
  };
}
