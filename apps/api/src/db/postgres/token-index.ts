import { sql, type Kysely } from 'kysely';
import { countTerms } from '../../search/agent-tokens.ts';
import type { StoredTerm, TokenQuery, TokenReader, TokenWriter } from '../engine.ts';
import type { Tables } from '../tables.ts';

/** Keeps the tokens of each agent as a `tsvector` without positions, under a GIN index. */
export const postgresTokenWriter: TokenWriter = {
  async create(db) {
    await sql`
        CREATE TABLE agent_tokens (
          seq bigint PRIMARY KEY REFERENCES agents (seq) ON DELETE CASCADE,
          tokens tsvector NOT NULL
        )
      `.execute(db);
    // Without the list of pending entries that every search would have to read through.
    await sql`CREATE INDEX agent_tokens_tokens ON agent_tokens USING gin (tokens) WITH (fastupdate = off)`.execute(db);
    // The stored flag is what the index is on: an update that leaves the flag as it is touches no index (HOT).
    await sql`
        CREATE TABLE search_terms (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          term text COLLATE "C" NOT NULL UNIQUE,
          agents integer NOT NULL,
          is_shared boolean NOT NULL GENERATED ALWAYS AS (agents > 1) STORED
        ) WITH (fillfactor = 70)
      `.execute(db);
    await sql`CREATE INDEX search_terms_shared ON search_terms (id) WHERE is_shared`.execute(db);
  },

  async configure() {},

  async add(db, agents) {
    const rows = JSON.stringify(agents.map(({ seq, tokens }) => ({ seq, tokens })));
    await sql`
        INSERT INTO agent_tokens (seq, tokens)
        SELECT seq, array_to_tsvector(tokens) FROM json_to_recordset(${rows}) AS agent (seq bigint, tokens text[])
      `.execute(db);
    await lockTerms(db);
    await sql`
        INSERT INTO search_terms (term, agents)
        SELECT value ->> 0, (value ->> 1)::integer
        FROM json_array_elements(${JSON.stringify(countTerms(agents))}) WITH ORDINALITY AS counted (value, position)
        ORDER BY position
        ON CONFLICT (term) DO UPDATE SET agents = search_terms.agents + excluded.agents
      `.execute(db);
  },

  async remove(db, { seq, terms }) {
    await sql`DELETE FROM agent_tokens WHERE seq = ${seq}`.execute(db);
    await lockTerms(db);
    await sql`UPDATE search_terms SET agents = agents - 1 WHERE term = ANY(${terms}::text[])`.execute(db);
    await sql`DELETE FROM search_terms WHERE term = ANY(${terms}::text[]) AND agents <= 0`.execute(db);
  },

  async clear(db) {
    await lockTerms(db);
    await sql`DELETE FROM agent_tokens`.execute(db);
    await sql`DELETE FROM search_terms`.execute(db);
  },
};

// Most agents share a word with others. Without the lock two transactions could wait for each other's words for ever, and
// ids could be committed in another order than they were given.
async function lockTerms(db: Kysely<Tables>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock('search_terms'::regclass::bigint)`.execute(db);
}

/**
 * Of so many agents that match, the latest are found by finding all. Left to itself the planner, which takes rare tokens for
 * more frequent than they are, reads through all agents from the latest on.
 */
const MAX_SORTED = 5_000;

/** Reads the tokens of a PostgreSQL database. */
export function createPostgresTokenReader(database: Kysely<Tables>): TokenReader {
  return {
    async find(query, limit) {
      const { rows } = await sql<{ seq: number; total: number }>`
        WITH found AS MATERIALIZED (SELECT seq FROM agent_tokens WHERE tokens @@ ${toTsquery(query)}::tsquery)
        SELECT seq, (SELECT count(*) FROM found) AS total FROM found ORDER BY seq DESC LIMIT ${limit}
      `.execute(database);
      return { total: rows[0]?.total ?? 0, seqs: rows.map(({ seq }) => seq) };
    },

    async match(query, { limit, before = Number.MAX_SAFE_INTEGER, atMost }) {
      const matching = sql`SELECT seq FROM agent_tokens WHERE tokens @@ ${toTsquery(query)}::tsquery`;
      const page = sql`seq < ${before} ORDER BY seq DESC LIMIT ${limit}`;
      const { rows } = await sql<{ seq: number }>`${
        atMost <= MAX_SORTED
          ? sql`WITH found AS MATERIALIZED (${matching}) SELECT seq FROM found WHERE ${page}`
          : sql`${matching} AND ${page}`
      }`.execute(database);
      return rows.map(({ seq }) => seq);
    },

    async includes(query, seq) {
      const { rows } = await sql`
        SELECT FROM agent_tokens WHERE seq = ${seq} AND tokens @@ ${toTsquery(query)}::tsquery
      `.execute(database);
      return rows.length > 0;
    },

    async lastTermId() {
      const { rows } = await sql<{ id: number | null }>`SELECT max(id) AS id FROM search_terms`.execute(database);
      return rows[0]?.id ?? 0;
    },

    async readTerms({ after, limit, isShared }) {
      const condition = isShared === undefined ? sql`` : isShared ? sql`is_shared AND` : sql`NOT is_shared AND`;
      const { rows } = await sql<StoredTerm>`
        SELECT id, term FROM search_terms WHERE ${condition} id > ${after} ORDER BY id LIMIT ${limit}
      `.execute(database);
      return rows;
    },
  };
}

function toTsquery(query: TokenQuery): string {
  if ('token' in query) {
    return `'${query.token.replaceAll(/['\\]/g, String.raw`$&$&`)}'${query.isPrefix ? ':*' : ''}`;
  }
  if ('all' in query) return `(${query.all.map(toTsquery).join(' & ')})`;
  if ('any' in query) return `(${query.any.map(toTsquery).join(' | ')})`;
  return `(${toTsquery(query.find)} & !${toTsquery(query.without)})`;
}
