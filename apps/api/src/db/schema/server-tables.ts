import { sql, type RawBuilder } from 'kysely';
import type { Dialect } from './dialect.ts';

/** Sources of `registry sync`, agents as MCP servers, and what connections answer. */
export function serverTables(dialect: Dialect): RawBuilder<unknown>[] {
  return [...sources(dialect), ...serverNames(dialect), ...serverDocuments(dialect), ...connectionChecks(dialect)];
}

function sources({ text }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE sources (
      name ${text} PRIMARY KEY NOT NULL,
      address text NOT NULL,
      mark text,
      synced_at text NOT NULL,
      reading text NOT NULL DEFAULT ''
    )`,
    sql`CREATE TABLE agent_sources (
      source ${text} NOT NULL,
      entry_key ${text} NOT NULL,
      agent_id ${text},
      is_origin integer NOT NULL,
      attribution text NOT NULL,
      licence text NOT NULL,
      imported_at text NOT NULL,
      gone_at text,
      PRIMARY KEY (source, entry_key)
    )`,
    sql`CREATE INDEX agent_sources_by_agent ON agent_sources (agent_id)`,
    sql`CREATE TABLE pinned_fields (
      agent_id ${text} PRIMARY KEY NOT NULL,
      fields text NOT NULL
    )`,
  ];
}

/** The name stays with the agent; its hash stays for ever, so that nobody else gets the name. */
function serverNames({ text, rowNumber }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE server_names (
      number ${rowNumber},
      hash ${text} NOT NULL,
      name ${text} UNIQUE,
      agent_id ${text} UNIQUE
    )`,
    sql`CREATE INDEX server_names_by_hash ON server_names (hash)`,
    sql`CREATE TABLE server_name_key (value ${text} PRIMARY KEY NOT NULL)`,
  ];
}

function serverDocuments({ text }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE server_documents (
      agent_id ${text} NOT NULL,
      version ${text} NOT NULL,
      name text NOT NULL,
      status text NOT NULL,
      status_message text,
      document text,
      basis text NOT NULL,
      is_latest integer NOT NULL,
      kept_at text NOT NULL,
      PRIMARY KEY (agent_id, version)
    )`,
    sql`CREATE INDEX server_documents_by_version ON server_documents (version) WHERE is_latest = 1`,
  ];
}

function connectionChecks({ text }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE connection_checks (
      agent_id ${text} NOT NULL,
      address ${text} NOT NULL,
      due_at ${text} NOT NULL,
      leased_until ${text} NOT NULL DEFAULT '',
      checked_at text,
      result text,
      tools integer,
      reason text NOT NULL DEFAULT '',
      refusals integer NOT NULL DEFAULT 0,
      PRIMARY KEY (agent_id, address)
    )`,
    sql`CREATE INDEX connection_checks_by_due_time ON connection_checks (due_at)`,
  ];
}
