import { randomBytes } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Dialect } from './dialect.ts';

/** What became of agents, for programs and for operators. */
export function historyTables({ text, rowNumber }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE agent_changes (
      number ${rowNumber},
      agent_id ${text} NOT NULL,
      at ${text} NOT NULL,
      kind text NOT NULL,
      actor text NOT NULL,
      fields text,
      tools text,
      has_texts integer NOT NULL DEFAULT 0,
      is_latest integer NOT NULL
    )`,
    sql`CREATE INDEX agent_changes_of_agent ON agent_changes (agent_id, number)`,
    sql`CREATE UNIQUE INDEX agent_changes_latest ON agent_changes (number) WHERE is_latest = 1`,
    // For feeds of agents with other tools.
    sql`CREATE INDEX agent_changes_of_tools ON agent_changes (agent_id, at) WHERE kind = 'tools'`,
    // Changes since a time, in their order.
    sql`CREATE INDEX agent_changes_by_age ON agent_changes (at, number)`,
    sql`CREATE TABLE change_log (
      id text NOT NULL,
      forgotten bigint NOT NULL
    )`,
    sql`INSERT INTO change_log (id, forgotten) VALUES (${randomBytes(9).toString('base64url')}, 0)`,

    sql`CREATE TABLE reports (
      number ${rowNumber},
      agent_id ${text} NOT NULL,
      reason text NOT NULL,
      text text,
      created_at ${text} NOT NULL
    )`,
    sql`CREATE INDEX reports_of_agent ON reports (agent_id, number)`,

    sql`CREATE TABLE operator_actions (
      number ${rowNumber},
      at ${text} NOT NULL,
      actor text NOT NULL,
      command text NOT NULL,
      agent_id ${text},
      name text,
      reason text NOT NULL
    )`,
    sql`CREATE INDEX operator_actions_of_agent ON operator_actions (agent_id, number)`,
    sql`CREATE INDEX operator_actions_by_age ON operator_actions (at)`,

    // Events for the webhook, and their delivery.
    sql`CREATE TABLE operator_events (
      number ${rowNumber},
      at ${text} NOT NULL,
      type text NOT NULL,
      agent_id ${text} NOT NULL
    )`,
    sql`CREATE INDEX operator_events_of_agent ON operator_events (agent_id)`,
    sql`CREATE TABLE webhook (
      name text PRIMARY KEY NOT NULL,
      cursor bigint NOT NULL,
      leased_until ${text} NOT NULL,
      due_at ${text} NOT NULL,
      failures integer NOT NULL,
      refusals integer NOT NULL DEFAULT 0
    )`,
  ];
}
