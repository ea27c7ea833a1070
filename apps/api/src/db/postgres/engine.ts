import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import { createAgentSearch } from '../../search/agent-search.ts';
import { listenToQueries, type Engine, type QueryListener } from '../engine.ts';
import { beginVersions } from '../registry-version.ts';
import { coalesce } from './coalesce.ts';
import { openPool, type PostgresSettings } from './pool.ts';
import { createPostgresTokenReader, postgresTokenWriter } from './token-index.ts';
import type { Tables } from '../tables.ts';

/** Opens a PostgreSQL database; it connects with the first statement, and anew after an outage. */
export function openPostgres(url: string, settings: PostgresSettings, onQuery?: QueryListener): Engine {
  const dialect = new PostgresDialect({ pool: openPool(url, settings) });
  const db = new Kysely<Tables>({ dialect, ...listenToQueries(onQuery) });
  return {
    db,
    select: async <Row>(query: CompiledQuery) => (await db.executeQuery<Row>(query)).rows,
    columnTypes: { rowNumber: sql`bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY`, text: sql`text COLLATE "C"` },
    withGivenRowNumber: sql`OVERRIDING SYSTEM VALUE`,
    tokens: postgresTokenWriter,
    search: createAgentSearch(createPostgresTokenReader(db)),
    createAgentTriggers,
    orderCounts: createCounter,
    version: coalesce(async () => {
      const { rows } = await sql<{ version: number | null }>`SELECT sum(changes) AS version FROM agent_counts`.execute(
        db,
      );
      return rows[0]?.version ?? 0;
    }),
    writeInBulk,
    async measure() {
      const { rows } = await sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`.execute(db);
      return rows[0]?.bytes ?? 0;
    },
    close: () => db.destroy(),
  };
}

async function createAgentTriggers(db: Kysely<Tables>): Promise<void> {
  await createCounter(db);
  await sql`DROP TRIGGER IF EXISTS agents_counted ON agents`.execute(db);
  // At the commit, so that registrations wait for each other no longer than they must.
  await sql`
    CREATE CONSTRAINT TRIGGER agents_counted AFTER INSERT OR DELETE OR UPDATE ON agents
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_agents()
  `.execute(db);
}

// Fires for one agent after the other, in the order in which they were written. Whoever counts first in a transaction takes
// a lock, since two transactions with the same categories in different orders would else each wait for the other.
async function createCounter(db: Kysely<Tables>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION count_agents() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      written_at text := to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
    BEGIN
      PERFORM pg_advisory_xact_lock('agent_counts'::regclass::bigint);
      IF TG_OP <> 'INSERT' THEN
        UPDATE agent_counts SET agents = agents - 1, changes = changes + 1, changed_at = written_at
        WHERE category = OLD.category;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO agent_counts (category, agents, changes, changed_at) VALUES (NEW.category, 1, 1, written_at)
        ON CONFLICT (category) DO UPDATE
        SET agents = agent_counts.agents + 1, changes = agent_counts.changes + 1, changed_at = excluded.changed_at;
      END IF;
      RETURN NULL;
    END $$
  `.execute(db);
}

async function writeInBulk(transaction: Kysely<Tables>, write: () => Promise<void>): Promise<void> {
  // In the order in which a registration takes them.
  await sql`LOCK TABLE registration_keys, agents IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
  // It would change the same few rows once for each agent, and each change passes by all that the transaction made before.
  await sql`ALTER TABLE agents DISABLE TRIGGER agents_counted`.execute(transaction);
  await write();
  await sql`ALTER TABLE agents ENABLE TRIGGER agents_counted`.execute(transaction);
  await sql`
    INSERT INTO agent_counts (category, agents) SELECT category, count(*) FROM agents GROUP BY category
    ON CONFLICT (category) DO UPDATE SET agents = excluded.agents
  `.execute(transaction);
  await sql`
    UPDATE agent_counts SET agents = 0
    WHERE NOT EXISTS (SELECT FROM agents WHERE agents.category = agent_counts.category)
  `.execute(transaction);
  await beginVersions(transaction);
}
