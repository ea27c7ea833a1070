import { sql, type RawBuilder } from 'kysely';
import type { Dialect } from './dialect.ts';

/** Sources of `registry sync`, agents as MCP servers, and what connections answer. */
export function serverTables(dialect: Dialect): RawBuilder<unknown>[] {
  return [
    ...sources(dialect),
    ...serverNames(dialect),
    ...serverDocuments(dialect),
    ...publications(dialect),
    ...connectionChecks(dialect),
  ];
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

/** A row for each name in any letter case: of an agent that has it or gave it up, or after an erasure its hash alone. */
function serverNames({ text, rowNumber }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE server_names (
      number ${rowNumber},
      hash ${text} NOT NULL UNIQUE,
      name ${text},
      agent_id ${text},
      is_chosen integer,
      given_up_at ${text}
    )`,
    sql`CREATE UNIQUE INDEX server_names_by_name ON server_names (lower(name))`,
    sql`CREATE UNIQUE INDEX server_names_by_agent ON server_names (agent_id) WHERE given_up_at IS NULL`,
    sql`CREATE INDEX server_names_of_agent ON server_names (agent_id, number)`,
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
      published_at text,
      updated_at text,
      PRIMARY KEY (agent_id, version)
    )`,
    sql`CREATE INDEX server_documents_by_version ON server_documents (version) WHERE is_latest = 1`,
  ];
}

function publications({ text }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE publications (
      agent_id ${text} PRIMARY KEY NOT NULL,
      name ${text} NOT NULL,
      domain text NOT NULL,
      version text NOT NULL,
      content text NOT NULL,
      pending text
    )`,
    sql`CREATE UNIQUE INDEX publications_by_name ON publications (lower(name))`,
    sql`CREATE INDEX server_documents_by_name ON server_documents (lower(name)) WHERE is_latest = 1`,
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
    sql`CREATE TABLE connection_offers (
      agent_id ${text} NOT NULL,
      address ${text} NOT NULL,
      read_at ${text} NOT NULL,
      offer text NOT NULL,
      streak integer NOT NULL,
      review text,
      PRIMARY KEY (agent_id, address)
    )`,
    sql`CREATE INDEX connection_offers_in_review ON connection_offers (review) WHERE review IS NOT NULL`,
  ];
}
