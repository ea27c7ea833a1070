import type SQLite from 'better-sqlite3';
import { sql, type RawBuilder } from 'kysely';
import type { TokenQuery, TokenReader, TokenWriter } from '../engine.ts';

/** How many terms are read at once. */
const TERMS_PER_READING = 10_000;
/** How much of the index is merged for each agent that is added, in pages: enough for the pieces to stay few. */
const PAGES_PER_AGENT = 8;
/**
 * Each transaction writes a piece of its own, and a search asks every piece. Left to itself, FTS5 now and then merges very much
 * at once, and a registration waits for it; here each merges a little.
 */
const settings = {
  automerge: 0,
  /** How many pieces of a size are merged into one. */
  usermerge: 8,
  /** The size of pages, in bytes: smaller than FTS5's own 4,050, so that it skips more of a long list. */
  pgsz: 1_024,
};

/**
 * Keeps tokens in an FTS5 table without texts, positions and columns: for each token the agents that have it, and nothing
 * more. Agents come out latest first without being sorted, so that a page costs the same however many match.
 */
export const sqliteTokenWriter: TokenWriter = {
  async create(db) {
    await sql`
      CREATE VIRTUAL TABLE agent_tokens USING fts5(
        tokens, content = '', contentless_delete = 1, detail = 'none', prefix = '1 2 3', tokenize = "ascii tokenchars '+#@&%^$_'"
      )
    `.execute(db);
    await sql`CREATE TABLE search_terms (id integer PRIMARY KEY, term text NOT NULL UNIQUE)`.execute(db);
  },

  async configure(db) {
    for (const [name, value] of Object.entries(settings)) await tellIndex(name, value).execute(db);
  },

  async add(db, agents) {
    const tokens = JSON.stringify(agents.map((agent) => [agent.seq, agent.tokens.join(' ')]));
    const terms = JSON.stringify(agents.flatMap((agent) => agent.terms));
    // None needs what another answers, so all are on their way at once.
    await Promise.all([
      sql`
        INSERT INTO agent_tokens (rowid, tokens) SELECT value ->> 0, value ->> 1 FROM json_each(${tokens})
      `.execute(db),
      sql`INSERT OR IGNORE INTO search_terms (term) SELECT value FROM json_each(${terms})`.execute(db),
      tellIndex('merge', PAGES_PER_AGENT * agents.length).execute(db),
    ]);
  },

  async remove(db, seq) {
    await sql`DELETE FROM agent_tokens WHERE rowid = ${seq}`.execute(db);
  },

  async clear(db) {
    await sql`INSERT INTO agent_tokens (agent_tokens) VALUES ('delete-all')`.execute(db);
  },
};

/** A statement that tells FTS5 something about the index, which is written into a column that has the table's name. */
export function tellIndex(command: string, value: number): RawBuilder<unknown> {
  return sql`INSERT INTO agent_tokens (agent_tokens, rank) VALUES (${command}, CAST(${value} AS integer))`;
}

/**
 * Reads the tokens of a SQLite file over a connection of its own. What a plain `LIMIT ?` is given SQLite takes into its plan,
 * and so prepares the statement anew each time.
 */
export function createSqliteTokenReader(connection: SQLite.Database): TokenReader {
  const statements = new Map<string, SQLite.Statement>();

  return {
    async find(query, limit) {
      const seqs = await match(query, limit);
      return { seqs, total: seqs.length < limit ? seqs.length : await count(query) };
    },

    match: (query, { limit, before }) => match(query, limit, before),

    includes(query, seq) {
      return read(
        'SELECT rowid FROM agent_tokens WHERE agent_tokens MATCH ? AND rowid = CAST(? AS integer)',
        (statement) => statement.get(toMatch(query), seq) !== undefined,
      );
    },

    async readTerms(since = '0') {
      const rows = await read(
        'SELECT id, term FROM search_terms WHERE id > ? ORDER BY id LIMIT CAST(? AS integer)',
        (statement) => statement.all(Number(since), TERMS_PER_READING) as { id: number; term: string }[],
      );
      return {
        terms: rows.map(({ term }) => term),
        next: String(rows.at(-1)?.id ?? since),
        isComplete: rows.length < TERMS_PER_READING,
      };
    },
  };

  function match(query: TokenQuery, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<number[]> {
    return read(
      'SELECT rowid FROM agent_tokens WHERE agent_tokens MATCH ? AND rowid < CAST(? AS integer) ORDER BY rowid DESC LIMIT CAST(? AS integer)',
      (statement) => statement.pluck().all(toMatch(query), before, limit) as number[],
    );
  }

  function count(query: TokenQuery): Promise<number> {
    return read(
      'SELECT count(*) FROM agent_tokens WHERE agent_tokens MATCH ?',
      (statement) => statement.pluck().get(toMatch(query)) as number,
    );
  }

  async function read<Result>(text: string, use: (statement: SQLite.Statement) => Result): Promise<Result> {
    const statement = statements.get(text) ?? connection.prepare(text);
    statements.set(text, statement);
    return use(statement);
  }
}

// FTS5 reads words such as AND and NEAR as operators, so every token is quoted.
function toMatch(query: TokenQuery): string {
  if ('token' in query) return `"${query.token.replaceAll('"', '""')}"${query.isPrefix ? ' *' : ''}`;
  if ('all' in query) return `(${query.all.map(toMatch).join(' AND ')})`;
  if ('any' in query) return `(${query.any.map(toMatch).join(' OR ')})`;
  return `(${toMatch(query.find)} NOT ${toMatch(query.without)})`;
}
