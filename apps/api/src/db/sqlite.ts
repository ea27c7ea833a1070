import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import SQLite from 'better-sqlite3';
import {
  CompiledQuery,
  Kysely,
  sql,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type TransactionSettings,
} from 'kysely';
import { DatabaseError, listenToQueries, type Engine, type QueryListener } from './engine.ts';
import { reportingOutages } from './sqlite-outages.ts';
import { createSearchThread } from './sqlite-search-thread.ts';
import { sqliteTokenWriter } from './sqlite-tokens.ts';
import type { Tables } from './tables.ts';

/** How long a statement waits for another process's write, in milliseconds. */
const BUSY_TIMEOUT = 5_000;

/**
 * Opens a SQLite file, created with its folder when missing.
 * @param path the file, absolute or relative to the working directory
 * @throws {DatabaseError} when the file cannot be created, opened or read as a database.
 */
export function openSqlite(path: string, onQuery?: QueryListener): Engine {
  const file = resolve(path);
  const database = openFile(file);
  const db = new Kysely<Tables>({ dialect: new Dialect(database), ...listenToQueries(onQuery) });
  const thread = createSearchThread(file, onQuery);
  return {
    db,
    columnTypes: { rowNumber: sql`integer PRIMARY KEY AUTOINCREMENT`, text: sql`text` },
    withGivenRowNumber: sql``,
    tokens: sqliteTokenWriter,
    search: thread.search,
    createAgentTriggers,
    version: readVersion(database),
    writeInBulk: (_transaction, write) => write(),
    async measure() {
      const { rows } = await sql<{ bytes: number }>`
        SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size
      `.execute(db);
      return rows[0]?.bytes ?? 0;
    },
    async close() {
      await thread.close();
      await db.destroy();
    },
  };
}

class Dialect extends SqliteDialect {
  readonly #database: SQLite.Database;

  constructor(database: SQLite.Database) {
    super({ database: reportingOutages(database) });
    this.#database = database;
  }

  override createDriver() {
    return new WritingDriver(this.#database);
  }

  override createAdapter() {
    return new TransactionalAdapter();
  }
}

class WritingDriver extends SqliteDriver {
  readonly #database: SQLite.Database;

  constructor(database: SQLite.Database) {
    super({ database: reportingOutages(database) });
    this.#database = database;
  }

  // A transaction that only finds out at its first write that another process was faster fails at once; one that asks
  // for the right to write when it begins waits for its turn. One that only reads sees one state and holds up nobody.
  override async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings = {}) {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'BEGIN' : 'BEGIN IMMEDIATE'));
  }

  // Where it cannot write, SQLite has ended the transaction by itself, and would say so in place of the reason.
  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

// SQLite can undo changes of tables, so a migration that fails leaves nothing behind.
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

// Read at every request, so it is prepared once, and not by way of Kysely.
function readVersion(database: SQLite.Database): () => number {
  let statement: SQLite.Statement<[], number> | undefined;
  return () => {
    statement ??= database.prepare<[], number>('SELECT sum(changes) FROM agent_counts').pluck();
    return statement.get() ?? 0;
  };
}

function openFile(path: string): SQLite.Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const database = new SQLite(path);
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
    database.pragma('journal_mode = WAL');
    // With WAL the library would choose NORMAL, which can lose an acknowledged commit to a power cut.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    return database;
  } catch (cause) {
    throw new DatabaseError(`The database ${path} cannot be opened`, cause);
  }
}

async function createAgentTriggers(db: Kysely<Tables>): Promise<void> {
  for (const trigger of ['agents_added', 'agents_removed', 'agents_moved']) {
    await sql`DROP TRIGGER IF EXISTS ${sql.id(trigger)}`.execute(db);
  }
  const now = sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
  const add = sql`INSERT INTO agent_counts (category, agents, changes, changed_at) VALUES (NEW.category, 1, 1, ${now})
    ON CONFLICT (category) DO UPDATE
    SET agents = agents + 1, changes = changes + 1, changed_at = excluded.changed_at;`;
  const subtract = sql`UPDATE agent_counts SET agents = agents - 1, changes = changes + 1, changed_at = ${now}
    WHERE category = OLD.category;`;
  await sql`CREATE TRIGGER agents_added AFTER INSERT ON agents BEGIN ${add} END`.execute(db);
  await sql`CREATE TRIGGER agents_removed AFTER DELETE ON agents BEGIN ${subtract} END`.execute(db);
  await sql`CREATE TRIGGER agents_changed AFTER UPDATE ON agents BEGIN ${subtract} ${add} END`.execute(db);
}
