import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { getCategory, type CategoryId } from '@agent-registry/contracts';
import SQLite from 'better-sqlite3';
import { Kysely, sql, SqliteAdapter, SqliteDialect, type MigrationLockOptions, type RawBuilder } from 'kysely';
import { DatabaseError, type Engine } from './engine.ts';
import type { AgentRow, Tables } from './tables.ts';

/** How long a statement waits for another process's write, in milliseconds. */
const BUSY_TIMEOUT = 5_000;

/**
 * Opens a SQLite file, created with its folder when missing.
 * @param path the file, absolute or relative to the working directory
 * @throws {DatabaseError} when the file cannot be created, opened or read as a database.
 */
export function openSqlite(path: string): Engine {
  const db = new Kysely<Tables>({ dialect: new MigratingDialect({ database: openFile(resolve(path)) }) });
  return { db, createSearchIndex, indexAgent, search: (text) => search(db, text), close: () => db.destroy() };
}

// SQLite can undo changes of tables, so a migration that fails leaves nothing behind.
class MigratingDialect extends SqliteDialect {
  override createAdapter() {
    return new MigratingAdapter();
  }
}

class MigratingAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }

  // A first write makes a second process that starts at the same time wait for this one's migrations.
  override async acquireMigrationLock(db: Kysely<unknown>, { lockTable }: MigrationLockOptions) {
    await sql`UPDATE ${sql.table(lockTable)} SET is_locked = is_locked`.execute(db);
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

async function indexAgent(db: Kysely<Tables>, row: AgentRow): Promise<void> {
  const capabilities = (JSON.parse(row.capabilities) as string[]).join('\n');
  const category = `${row.category}\n${getCategory(row.category as CategoryId).name}`;
  for (const index of [sql`agent_words`, sql`agent_trigrams`]) {
    await sql`
      INSERT INTO ${index} (rowid, name, capabilities, category, description)
      VALUES (${row.seq}, ${row.name}, ${capabilities}, ${category}, ${row.description})
    `.execute(db);
  }
}

async function search(db: Kysely<Tables>, text: string): Promise<AgentRow[]> {
  const words = searchWords(text);
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

// The different words of a text; what has neither letter, digit, + nor # is no word.
function searchWords(text: string): string[] {
  const words = text.replaceAll(/\p{C}+/gu, ' ').split(/\s+/u);
  return [...new Set(words.filter((word) => /[\p{L}\p{N}+#]/u.test(word)))];
}

function rowsWithWord(word: string): RawBuilder<unknown> {
  const beginning = sql`SELECT rowid FROM agent_words WHERE agent_words MATCH ${`${quote(word)} *`}`;
  if (Array.from(word).length < 3) return sql`SELECT rowid FROM (${beginning})`;
  return sql`SELECT rowid FROM (${beginning} UNION SELECT rowid FROM agent_trigrams WHERE agent_trigrams MATCH ${quote(word)})`;
}

// What names are compared by: without case, accents, width and surplus blanks.
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().split(/\s+/u).filter(Boolean).join(' ');
}

// FTS5 reads -, :, * and AND as operators, so every word is quoted.
function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
