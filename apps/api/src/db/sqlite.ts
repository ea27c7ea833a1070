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
  type RawBuilder,
  type SqliteDialectConfig,
} from 'kysely';
import { DatabaseError, type Engine } from './engine.ts';
import { escapeLike, fold, isFoundInside, toSearchText, toSearchWords } from './search-text.ts';
import type { AgentRow, Tables } from './tables.ts';

/** How long a statement waits for another process's write, in milliseconds. */
const BUSY_TIMEOUT = 5_000;

/**
 * Opens a SQLite file, created with its folder when missing.
 * @param path the file, absolute or relative to the working directory
 * @throws {DatabaseError} when the file cannot be created, opened or read as a database.
 */
export function openSqlite(path: string): Engine {
  const db = new Kysely<Tables>({ dialect: new Dialect({ database: openFile(resolve(path)) }) });
  return {
    db,
    columnTypes: { rowNumber: sql`integer PRIMARY KEY AUTOINCREMENT`, text: sql`text` },
    createSearchIndex,
    createCountTriggers,
    indexAgent,
    search: (text) => search(db, text),
    close: () => db.destroy(),
  };
}

class Dialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver() {
    return new WritingDriver(this.#config);
  }

  override createAdapter() {
    return new TransactionalAdapter();
  }
}

// Every transaction here writes. One that only finds out at its first write that another process was faster fails
// at once; one that asks for the right to write when it begins waits for its turn.
class WritingDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
  }
}

// SQLite can undo changes of tables, so a migration that fails leaves nothing behind.
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
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
    database.function('fold', { deterministic: true }, (text) => fold(String(text)));
    return database;
  } catch (cause) {
    throw new DatabaseError(`The database ${path} cannot be opened`, cause);
  }
}

// Two indexes over the same text: one of words, for ranking and beginnings of words, in which + and # are
// letters (C++, C#); one of trigrams, for parts of words. Both hold no copy of the text.
async function createSearchIndex(db: Kysely<Tables>): Promise<void> {
  const columns = sql`name, capabilities, category, description, content = '', contentless_delete = 1`;
  await sql`CREATE VIRTUAL TABLE agent_words USING fts5(${columns}, tokenize = "unicode61 remove_diacritics 2 tokenchars '+#'")`.execute(
    db,
  );
  await sql`CREATE VIRTUAL TABLE agent_trigrams USING fts5(${columns}, tokenize = 'trigram remove_diacritics 1')`.execute(
    db,
  );
}

async function createCountTriggers(db: Kysely<Tables>): Promise<void> {
  const add = sql`INSERT INTO agent_counts (category, agents) VALUES (NEW.category, 1)
    ON CONFLICT (category) DO UPDATE SET agents = agents + 1;`;
  const subtract = sql`UPDATE agent_counts SET agents = agents - 1 WHERE category = OLD.category;`;
  await sql`CREATE TRIGGER agents_added AFTER INSERT ON agents BEGIN ${add} END`.execute(db);
  await sql`CREATE TRIGGER agents_removed AFTER DELETE ON agents BEGIN ${subtract} END`.execute(db);
  await sql`CREATE TRIGGER agents_moved AFTER UPDATE OF category ON agents BEGIN ${subtract} ${add} END`.execute(db);
}

async function indexAgent(db: Kysely<Tables>, row: AgentRow): Promise<void> {
  const { name, capabilities, category, description } = toSearchText(row);
  for (const index of [sql`agent_words`, sql`agent_trigrams`]) {
    await sql`
      INSERT INTO ${index} (rowid, name, capabilities, category, description)
      VALUES (${row.seq}, ${name}, ${capabilities}, ${category}, ${description})
    `.execute(db);
  }
}

async function search(db: Kysely<Tables>, text: string): Promise<AgentRow[]> {
  const words = toSearchWords(text);
  if (words.length === 0) return [];
  const inAll = sql.join(words.map(rowsWithWord), sql` INTERSECT `);
  const allBegin = words.map((word) => `${quote(word)} *`).join(' ');
  const name = fold(text);
  const result = await sql<AgentRow>`
    WITH
      hits AS MATERIALIZED (${inAll}),
      ranked AS MATERIALIZED (
        SELECT rowid, bm25(agent_words, 10, 5, 3, 1) AS score FROM agent_words WHERE agent_words MATCH ${allBegin}
      )
    SELECT agents.* FROM hits JOIN agents ON agents.seq = hits.rowid LEFT JOIN ranked ON ranked.rowid = hits.rowid
    ORDER BY
      fold(agents.name) = ${name} DESC,
      fold(agents.name) LIKE ${`${escapeLike(name)}%`} ESCAPE '\\' DESC,
      ranked.score IS NULL,
      ranked.score,
      fold(agents.name) LIKE ${`%${escapeLike(name)}%`} ESCAPE '\\' DESC,
      agents.created_at DESC,
      agents.id
  `.execute(db);
  return result.rows;
}

function rowsWithWord(word: string): RawBuilder<unknown> {
  const beginning = sql`SELECT rowid FROM agent_words WHERE agent_words MATCH ${`${quote(word)} *`}`;
  if (!isFoundInside(word)) return sql`SELECT rowid FROM (${beginning})`;
  return sql`SELECT rowid FROM (${beginning} UNION SELECT rowid FROM agent_trigrams WHERE agent_trigrams MATCH ${quote(word)})`;
}

// FTS5 reads -, :, * and AND as operators, so every word is quoted.
function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
