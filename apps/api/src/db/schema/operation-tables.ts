import { randomBytes } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Dialect } from './dialect.ts';

/** Counts of views, and what the processes of the registry share. */
export function operationTables({ text, withoutRowid }: Dialect): RawBuilder<unknown>[] {
  return [
    // Views by day: of each agent, and of all.
    sql`CREATE TABLE agent_views (
      agent_id ${text} NOT NULL,
      day ${text} NOT NULL,
      views integer NOT NULL,
      PRIMARY KEY (agent_id, day)
    )`,
    sql`CREATE INDEX agent_views_by_age ON agent_views (day)`,
    sql`CREATE TABLE daily_views (
      day ${text} PRIMARY KEY NOT NULL,
      views integer NOT NULL
    )`,

    // Idempotency keys; the index by agent is for erasures.
    sql`CREATE TABLE registration_keys (
      key ${text} PRIMARY KEY NOT NULL,
      agent_id ${text} NOT NULL,
      agent text NOT NULL,
      created_at ${text} NOT NULL
    )`,
    sql`CREATE INDEX registration_keys_by_agent ON registration_keys (agent_id)`,
    sql`CREATE INDEX registration_keys_by_age ON registration_keys (created_at)`,

    sql`CREATE TABLE rate_limits (
      id ${text} PRIMARY KEY NOT NULL,
      used integer NOT NULL,
      resets_at ${text} NOT NULL
    ) ${withoutRowid}`,
    sql`CREATE INDEX rate_limits_by_end ON rate_limits (resets_at)`,

    sql`CREATE TABLE secrets (
      name text PRIMARY KEY NOT NULL,
      value text NOT NULL
    )`,
    sql`INSERT INTO secrets (name, value) VALUES ('website-challenges', ${randomBytes(32).toString('base64url')})`,

    sql`CREATE TABLE publisher_logins (
      id ${text} PRIMARY KEY NOT NULL,
      forgotten_at ${text} NOT NULL
    )`,

    sql`CREATE TABLE hourly_jobs (
      name text PRIMARY KEY NOT NULL,
      at ${text} NOT NULL,
      hours integer NOT NULL,
      mark bigint NOT NULL
    )`,
  ];
}
