import { sql, type RawBuilder } from 'kysely';
import type { Dialect } from './dialect.ts';

/** What searches and suggestions read of listed agents. Rows go with their agent. */
export function searchTables(dialect: Dialect): RawBuilder<unknown>[] {
  return [
    ...(dialect.engine === 'sqlite' ? sqliteTokens() : postgresTokens()),
    ...agentTerms(dialect),
    ...nameStarts(dialect),
    ...agentKeys('agent_capabilities', dialect),
    ...agentKeys('agent_connections', dialect),
  ];
}

/** An FTS5 table without texts, positions and columns: for each token the agents that have it. */
function sqliteTokens(): RawBuilder<unknown>[] {
  const configure = (name: string, value: number) =>
    sql`INSERT INTO agent_tokens (agent_tokens, rank) VALUES (${name}, CAST(${value} AS integer))`;
  return [
    sql`CREATE VIRTUAL TABLE agent_tokens USING fts5(
      tokens, content = '', contentless_delete = 1, detail = 'none', prefix = '1 2 3', tokenize = "ascii tokenchars '+#@&%^$_'"
    )`,
    // Automatic merges are large and delay a registration, so each registration merges a little instead.
    configure('automerge', 0),
    configure('usermerge', 8),
    // Pages smaller than by default (4,050 bytes), so that more of a long list is skipped.
    configure('pgsz', 1_024),
  ];
}

/** A tsvector without positions. */
function postgresTokens(): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE agent_tokens (
      seq bigint PRIMARY KEY REFERENCES agents (seq) ON DELETE CASCADE,
      tokens tsvector NOT NULL
    )`,
    // Without the list of pending entries, which every search would read.
    sql`CREATE INDEX agent_tokens_tokens ON agent_tokens USING gin (tokens) WITH (fastupdate = off)`,
  ];
}

/** A row is never changed, and a reader continues after the last row that it knows. */
function agentTerms({ rowNumber }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE agent_terms (
      id ${rowNumber},
      seq bigint NOT NULL UNIQUE REFERENCES agents (seq) ON DELETE CASCADE,
      terms text NOT NULL
    )`,
  ];
}

function nameStarts({ text }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE name_starts (
      seq bigint NOT NULL REFERENCES agents (seq) ON DELETE CASCADE,
      key ${text} NOT NULL,
      is_inner integer NOT NULL
    )`,
    sql`CREATE INDEX name_starts_by_key ON name_starts (is_inner, key, seq)`,
    sql`CREATE INDEX name_starts_of_agent ON name_starts (seq)`,
  ];
}

/** What several agents may have in common. */
function agentKeys(table: string, { text, withoutRowid }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE ${sql.id(table)} (
      seq bigint NOT NULL REFERENCES agents (seq) ON DELETE CASCADE,
      key ${text} NOT NULL,
      PRIMARY KEY (key, seq)
    ) ${withoutRowid}`,
    sql`CREATE INDEX ${sql.id(`${table}_of_agent`)} ON ${sql.id(table)} (seq)`,
  ];
}
