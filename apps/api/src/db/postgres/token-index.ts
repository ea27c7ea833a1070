import { sql, type Kysely } from 'kysely';
import type { TokenQuery, TokenReader, TokenWriter } from '../engine.ts';
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
    await sql`
        CREATE TABLE search_terms (
          term text COLLATE "C" PRIMARY KEY,
          added_in xid8 NOT NULL DEFAULT pg_current_xact_id()
        )
      `.execute(db);
    await sql`CREATE INDEX search_terms_added_in ON search_terms (added_in)`.execute(db);
  },

  async configure() {},

  async add(db, agents) {
    const rows = JSON.stringify(agents.map(({ seq, tokens }) => ({ seq, tokens })));
    await sql`
        INSERT INTO agent_tokens (seq, tokens)
        SELECT seq, array_to_tsvector(tokens) FROM json_to_recordset(${rows}) AS agent (seq bigint, tokens text[])
      `.execute(db);
    const terms = [...new Set(agents.flatMap((agent) => agent.terms))];
    // Sorted, so that two transactions that add the same terms never wait for each other.
    await sql`
        INSERT INTO search_terms (term)
        SELECT term FROM unnest(${terms.toSorted()}::text[]) AS term
        WHERE NOT EXISTS (SELECT FROM search_terms AS known WHERE known.term = term.term)
        ON CONFLICT DO NOTHING
      `.execute(db);
  },

  async remove(db, seq) {
    await sql`DELETE FROM agent_tokens WHERE seq = ${seq}`.execute(db);
  },

  async clear(db) {
    await sql`DELETE FROM agent_tokens`.execute(db);
  },
};

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

    // A reading goes on at the oldest transaction that was under way at the last one, since its terms were not there yet.
    async readTerms(since = '0') {
      const { rows } = await sql<{ next: string; terms: string | null }>`
        SELECT
          pg_snapshot_xmin(pg_current_snapshot())::text AS next,
          (SELECT string_agg(term, E'\n' ORDER BY added_in) FROM search_terms WHERE added_in >= ${since}::xid8) AS terms
      `.execute(database);
      const { next = since, terms = null } = rows[0] ?? {};
      return { terms: terms?.split('\n') ?? [], next, isComplete: true };
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
