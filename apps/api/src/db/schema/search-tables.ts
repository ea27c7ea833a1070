import { sql, type RawBuilder } from 'kysely';
import type { Dialect } from './dialect.ts';

/** What searches and suggestions read of listed agents. Rows go with their agent. */
export function searchTables({ engine, text, withoutRowid }: Dialect): RawBuilder<unknown>[] {
  return [
    ...(engine === 'sqlite' ? sqliteTokens() : postgresTokens()),
    sql`CREATE TABLE text_keys (
      kind text NOT NULL,
      key ${text} NOT NULL,
      seq bigint NOT NULL REFERENCES agents (seq) ON DELETE CASCADE,
      PRIMARY KEY (kind, key, seq)
    ) ${withoutRowid}`,
    sql`CREATE INDEX text_keys_of_agent ON text_keys (seq)`,
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
    // New entries wait in a list, of kB, which every search reads: moved to the index together, they write half the log.
    sql`CREATE INDEX agent_tokens_tokens ON agent_tokens USING gin (tokens) WITH (gin_pending_list_limit = 64)`,
  ];
}
