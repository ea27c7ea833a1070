import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { defaultCategories } from '@agent-registry/contracts';
import type SQLite from 'better-sqlite3';
import { Kysely, sql, type Compilable } from 'kysely';
import { kyselyOptions, type Engine, type EngineOptions, READ_CATEGORY_VERSION, READ_VERSION } from '../engine.ts';
import { DatabaseBusyError } from '../../database-error.ts';
import { repeat } from '../../jobs.ts';
import { openSqliteFile, createFileCheck, type FileCheck } from './connection.ts';
import { createSqliteDialect } from './dialect.ts';
import { openSqliteSearch, type ReadAnswer, type ReadRequest } from './search.ts';
import { MERGE_TIMES, mergeSegments, isMatchInSqlite, sqliteTokenWriter } from './token-index.ts';
import type { Tables } from '../tables.ts';
import { createWorkerRpc } from './worker-rpc.ts';

/** Registries with at most this many agents are searched in the main thread, which is faster than a call to the worker. */
const SMALL = 2_000;

/** When a search has waited this long, new searches are refused, in milliseconds. */
const MAX_SEARCH_WAIT = 2_000;

/** How long the write-ahead log is waited for, in milliseconds. */
const MAX_LOG_WAIT = 60_000;

/** The pause between two attempts to empty the write-ahead log, in milliseconds. */
const LOG_RETRY = 100;

/** How often a read checks that the file is in place, in milliseconds. */
const FILE_CHECK_INTERVAL = 250;

/**
 * Opens a SQLite file. Creates the file and its folder when missing.
 * @param path the file, absolute or relative to the working directory
 * @throws {DatabaseError} when the file cannot be created, opened or read as a database.
 */
export function openSqlite(
  path: string,
  { categories = defaultCategories, serverNamespace, onQuery, onError = () => {} }: EngineOptions = {},
): Engine {
  const file = resolve(path);
  const database = openSqliteFile(file);
  const fileCheck = createFileCheck(file);
  const db = new Kysely<Tables>({
    dialect: createSqliteDialect({ path: file, reader: database, fileCheck }),
    ...kyselyOptions(onQuery),
  });
  const isSmall = createSizeCheck(database);
  let searchHere: ReturnType<typeof openSqliteSearch> | undefined;
  // SQLite blocks the calling thread, so large searches run in a worker.
  const searchWorker = createWorkerRpc<ReadRequest, ReadAnswer>('search-worker', file);
  const readInWorker = (request: ReadRequest) => {
    if (searchWorker.longestWait() > MAX_SEARCH_WAIT) throw new DatabaseBusyError('Searches have waited for too long.');
    return searchWorker.call(request);
  };
  let stopMerging: (() => Promise<void>) | undefined;
  return {
    name: 'sqlite',
    db,
    categories,
    serverNamespace,
    tokens: sqliteTokenWriter,
    async search({ session, ...request }) {
      // A session cannot be sent to another thread.
      const { hits } = await read(request);
      if (session && hits) session.unknownTerms += hits.unknownTerms;
      return hits;
    },
    isMatch: isMatchInSqlite,
    async readMuch<Row>(query: Compilable<Row>) {
      const { sql: statement, parameters } = query.compile();
      return (await read({ statement, parameters })).rows as Row[];
    },
    version: createVersionReader(database, fileCheck),
    isStandby: async () => false,
    async takeSeqs(transaction, count) {
      // SQLite makes the row of a table with its first insert.
      await sql`
        INSERT INTO sqlite_sequence (name, seq)
        SELECT 'agents', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'agents')
      `.execute(transaction);
      const { rows } = await sql<{ seq: number }>`
        UPDATE sqlite_sequence SET seq = seq + ${count} WHERE name = 'agents' RETURNING seq
      `.execute(transaction);
      const last = rows[0]?.seq ?? 0;
      return Array.from({ length: count }, (_, index) => last - count + index + 1);
    },
    // Only one transaction writes a SQLite file at a time.
    lockWrites: async () => {},
    lockSchema: async () => {},
    async purge() {
      // The second time for words that a merge under way had written before they were deleted.
      for (let round = 0; round < 2; round += 1) await mergeSegments(db);
      await emptyLog(db);
    },
    async close() {
      await stopMerging?.();
      await searchHere?.close();
      await searchWorker.close();
      await db.destroy();
    },
  };

  async function read(request: ReadRequest): Promise<ReadAnswer> {
    try {
      // It may open a connection.
      fileCheck.check();
      stopMerging ??= repeat((signal) => mergeSegments(db, signal), { ...MERGE_TIMES, onError });
      const answer = isSmall()
        ? await (searchHere ??= openSqliteSearch(file)).read(request)
        : await readInWorker(request);
      onQuery?.(answer.duration);
      return answer;
    } catch (error) {
      throw fileCheck.toOutage(error);
    }
  }
}

/** Empties the write-ahead log, which a reader of an older snapshot or another checkpoint prevents. */
async function emptyLog(db: Kysely<Tables>): Promise<void> {
  const deadline = performance.now() + MAX_LOG_WAIT;
  while (performance.now() < deadline) {
    const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
    if (rows[0]?.busy === 0) return;
    // While another checkpoint is under way, SQLite answers at once, without the busy timeout.
    await wait(LOG_RETRY);
  }
  throw new DatabaseBusyError(
    'The agents are erased, but their texts are still in the -wal file, since something reads the database, such as a ' +
      'backup. Repeat the command after that',
  );
}

/** Creates the function that tells whether the file is small. Hidden agents count: FTS5 also reads past deleted rows. */
function createSizeCheck(database: SQLite.Database): () => boolean {
  let statement: SQLite.Statement<[], number | null> | undefined;
  return () => {
    statement ??= database.prepare<[], number | null>("SELECT seq FROM sqlite_sequence WHERE name = 'agents'").pluck();
    return (statement.get() ?? 0) <= SMALL;
  };
}

/**
 * Creates the function that reads the version. It runs for each request: without Kysely, with a throttled check of the
 * file, and the tables are read only after a commit of another connection, which all commits are.
 */
function createVersionReader(database: SQLite.Database, fileCheck: FileCheck): (category?: string) => string {
  const readDataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
  const versions = new Map<string | undefined, string>();
  let dataVersion: number | undefined;
  let checkedAt = -Infinity;
  return (category) => {
    try {
      const now = performance.now();
      if (now - checkedAt >= FILE_CHECK_INTERVAL) {
        fileCheck.check();
        checkedAt = now;
      }
      const latest = readDataVersion.get();
      if (latest !== dataVersion) versions.clear();
      dataVersion = latest;
      const version = versions.get(category) ?? read(category);
      versions.set(category, version);
      return version;
    } catch (error) {
      throw fileCheck.toOutage(error);
    }
  };

  function read(category: string | undefined): string {
    const statement = database
      .prepare<unknown[], string>(category === undefined ? READ_VERSION : READ_CATEGORY_VERSION)
      .pluck();
    return (category === undefined ? statement.get() : statement.get({ 1: category })) ?? '';
  }
}
