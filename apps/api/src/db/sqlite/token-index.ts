import { setTimeout } from 'node:timers/promises';
import { MAX_COUNTED_RESULTS } from '@agent-registry/contracts';
import type SQLite from 'better-sqlite3';
import { sql, type RawBuilder, type Kysely, type SqlBool } from 'kysely';
import type { MatchOptions, TokenWriter } from '../engine.ts';
import {
  WHOLE_TEXTS,
  type Scope,
  type StoredTerms,
  type StoredTexts,
  type TokenQuery,
  type TokenReader,
} from '../../search/agent-tokens.ts';
import type { Tables } from '../tables.ts';

/** When segments are merged, in milliseconds. */
export const MERGE_TIMES = { delay: 1_000, interval: 3_600_000 };
const PAGES_PER_STEP = 256;
/** The pause for registrations between two steps, in milliseconds. */
const PAUSE = 10;

/** Pages of the index that are merged for each new agent, enough to keep the segments few. */
const PAGES_PER_AGENT = 8;
/** Agents after which pages are merged; each registration before that adds a segment. */
const AGENTS_PER_MERGE = 8;

/**
 * Writes the tokens of agents to an FTS5 table without texts, positions and columns. FTS5 returns rows by number, so the
 * cost of a page, latest first, does not depend on how many agents match.
 */
export const sqliteTokenWriter: TokenWriter = {
  async add(db, agents) {
    const tokens = JSON.stringify(agents.map((agent) => [agent.seq, agent.tokens.join(' ')]));
    const isMerging = agents.some(({ seq }) => seq % AGENTS_PER_MERGE === 0);
    await sql`
      INSERT INTO agent_tokens (rowid, tokens) SELECT value ->> 0, value ->> 1 FROM json_each(${tokens})
    `.execute(db);
    const pages = PAGES_PER_AGENT * Math.max(AGENTS_PER_MERGE, agents.length);
    if (isMerging) await ftsCommand('merge', pages).execute(db);
  },

  async remove(db, seqs) {
    await sql`
      DELETE FROM agent_tokens WHERE rowid IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))
    `.execute(db);
  },

  async clear(db) {
    await sql`INSERT INTO agent_tokens (agent_tokens) VALUES ('delete-all')`.execute(db);
  },
};

/** The condition of the agents that match. With the `+` SQLite does not look each of them up, but checks the agents it reads. */
export function isMatchInSqlite(query: TokenQuery, { latest, areMany = false }: MatchOptions): RawBuilder<SqlBool> {
  const part = latest === undefined ? sql`` : sql` ORDER BY rowid DESC LIMIT CAST(${latest} AS integer)`;
  const seq = areMany ? sql`+agents.seq` : sql`agents.seq`;
  return sql`${seq} IN (SELECT rowid FROM agent_tokens WHERE agent_tokens MATCH ${toMatch(query)}${part})`;
}

/** An FTS5 command with a number: an INSERT into the column that has the name of the table. */
function ftsCommand(command: string, value: number): RawBuilder<unknown> {
  return sql`INSERT INTO agent_tokens (agent_tokens, rank) VALUES (${command}, CAST(${value} AS integer))`;
}

/**
 * Creates the reader of a SQLite file, over a connection of its own. SQLite plans a statement again for each value of a
 * plain `LIMIT ?`; `CAST(? AS integer)` prevents that.
 */
export function createSqliteTokenReader(
  connection: SQLite.Database,
  scope: Scope = {},
  maxCounted = MAX_COUNTED_RESULTS,
): TokenReader {
  const statements = new Map<string, SQLite.Statement>();
  const { condition, values } = toCondition(scope);
  const matches = 'FROM agent_tokens WHERE agent_tokens MATCH ?';

  return {
    maxCounted,
    within: (narrower) => createSqliteTokenReader(connection, narrower, maxCounted),
    match,

    async find(query, limit) {
      const seqs = await match(query, { limit });
      if (seqs.length < limit) return { seqs, total: Math.min(seqs.length, maxCounted + 1) };
      const count = `SELECT count(*) FROM (SELECT 1 ${matches}${condition} LIMIT CAST(? AS integer))`;
      return { seqs, total: readNumbers(count, toMatch(query), ...values, maxCounted + 1)[0] ?? 0 };
    },

    // Without the `+`, SQLite would look each of them up, which costs a query of the index each time.
    filter: async (query, seqs) =>
      readNumbers(
        `SELECT rowid ${matches} AND +rowid IN (SELECT value FROM json_each(?))${condition}`,
        toMatch(query),
        JSON.stringify(seqs),
        ...values,
      ),

    countAgents: async () => readNumbers('SELECT coalesce(sum(agents), 0) FROM agent_counts')[0] ?? 0,

    readTermsOf: async (seqs) =>
      readRows('SELECT seq, terms FROM agents WHERE seq IN (SELECT value FROM json_each(?))', JSON.stringify(seqs)),

    readTexts: async (seqs, { capabilities, tasks, description } = WHOLE_TEXTS) =>
      readRows<StoredTexts>(
        `SELECT seq, name, substr(capabilities, 1, ?) AS capabilities, coalesce(substr(example_tasks, 1, ?), '') AS tasks,
          substr(description, 1, ?) AS description, website, website_checked_at AS "websiteCheckedAt"
        FROM agents WHERE seq IN (SELECT value FROM json_each(?))`,
        capabilities,
        tasks,
        description,
        JSON.stringify(seqs),
      ),

    readTerms: async ({ after, limit }) =>
      readRows<StoredTerms>(
        `SELECT number, terms FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
        WHERE is_latest = 1 AND number > ? ORDER BY number LIMIT CAST(? AS integer)`,
        after,
        limit,
      ),
  };

  async function match(
    query: TokenQuery,
    { limit, before = Number.MAX_SAFE_INTEGER }: Parameters<TokenReader['match']>[1],
  ) {
    const latest = 'ORDER BY rowid DESC LIMIT CAST(? AS integer)';
    const text = `SELECT rowid ${matches} AND rowid < CAST(? AS integer)${condition} ${latest}`;
    return readNumbers(text, toMatch(query), before, ...values, limit);
  }

  function readNumbers(text: string, ...parameters: unknown[]): number[] {
    return prepare(text)
      .pluck()
      .all(...parameters) as number[];
  }

  function readRows<Row>(text: string, ...parameters: unknown[]): Row[] {
    return prepare(text).all(...parameters) as Row[];
  }

  function prepare(text: string): SQLite.Statement {
    const statement = statements.get(text) ?? connection.prepare(text);
    statements.set(text, statement);
    return statement;
  }
}

const scopeConditions = {
  capability: "SELECT 1 FROM text_keys WHERE kind = 'capability' AND key = ? AND seq = agent_tokens.rowid",
  since: 'SELECT 1 FROM agents WHERE seq = agent_tokens.rowid AND listed_at >= ?',
} satisfies Record<keyof Scope, string>;

/** The condition of the agents of a scope, to follow others, and its values. */
function toCondition(scope: Scope): { condition: string; values: string[] } {
  const given = Object.entries(scope) as [keyof Scope, string][];
  return {
    condition: given.map(([name]) => ` AND EXISTS (${scopeConditions[name]})`).join(''),
    values: given.map(([, value]) => value),
  };
}

// FTS5 reads words such as AND and NEAR as operators, so every token is quoted.
function toMatch(query: TokenQuery): string {
  if ('token' in query) return `"${query.token.replaceAll('"', '""')}"${query.isPrefix ? ' *' : ''}`;
  if ('all' in query) return `(${query.all.map(toMatch).join(' AND ')})`;
  if ('any' in query) return `(${query.any.map(toMatch).join(' OR ')})`;
  return `(${toMatch(query.find)} NOT ${toMatch(query.without)})`;
}

/**
 * Merges the segments of the FTS5 index into one: a search reads every segment for each of its tokens. A step is a
 * transaction of some milliseconds, during which registrations wait.
 */
export async function mergeSegments(db: Kysely<Tables>, signal?: AbortSignal): Promise<void> {
  // A negative number starts a merge of all segments, and positive ones continue it.
  let pages = -PAGES_PER_STEP;
  while (await merge(db, pages)) {
    pages = PAGES_PER_STEP;
    await setTimeout(PAUSE, undefined, { signal });
  }
}

/** Merges at most this many pages; false if there was nothing to merge. */
function merge(db: Kysely<Tables>, pages: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const before = await countChanges(transaction);
    await ftsCommand('merge', pages).execute(transaction);
    // The command itself counts as one change.
    return (await countChanges(transaction)) - before > 1;
  });
}

async function countChanges(transaction: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ changes: number }>`SELECT total_changes() AS changes`.execute(transaction);
  return rows[0]?.changes ?? 0;
}
