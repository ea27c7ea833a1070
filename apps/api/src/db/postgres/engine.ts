import { Kysely, PostgresDialect, sql, type CompiledQuery, type PostgresPool } from 'kysely';
import { Pool, TypeOverrides, types } from 'pg';
import { createAgentSearch } from '../../search/agent-search.ts';
import { DatabaseUnavailableError, listenToQueries, type Engine, type QueryListener } from '../engine.ts';
import { beginVersions } from '../registry-version.ts';
import { coalesce } from './coalesce.ts';
import { createPostgresTokenReader, postgresTokenWriter } from './token-index.ts';
import type { Tables } from '../tables.ts';

/** How a process uses a PostgreSQL server. */
export type PostgresSettings = {
  /** Most connections of this process. */
  poolSize: number;
  /** How long a statement may take, in milliseconds. */
  statementTimeout: number;
  /** How long to wait for a connection, in milliseconds. */
  connectTimeout: number;
};

// The planner takes a search in a row's tokens for as cheap as comparing two numbers, and so reads through the table where
// the index would be several times faster.
const PLANNER_SETTINGS = 'SET enable_seqscan = off; SET cpu_operator_cost = 0.05; SET random_page_cost = 1.1';

/** Opens a PostgreSQL database; it connects with the first statement, and anew after an outage. */
export function openPostgres(
  url: string,
  { poolSize, statementTimeout, connectTimeout }: PostgresSettings,
  onQuery?: QueryListener,
): Engine {
  const pool = new Pool({
    connectionString: url,
    application_name: 'agent-registry',
    max: poolSize,
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    types: numbersAsNumbers(),
    onConnect: (connection) => connection.query(PLANNER_SETTINGS),
  });
  // A connection that breaks is replaced at its next use, and the query under way fails by itself. Unheard, these events
  // would end the process: the pool's while the connection is idle, the connection's own while it is in use.
  pool.on('error', () => {});
  pool.on('connect', (connection) => connection.on('error', () => {}));
  const dialect = new PostgresDialect({ pool: reportingOutages(pool) });
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

// Counts and ratings are numbers here; the driver by itself gives 64-bit integers and decimals as texts.
function numbersAsNumbers(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  overrides.setTypeParser(types.builtins.NUMERIC, Number);
  return overrides;
}

// Codes of the network and of the server that say: not now.
const OUTAGE_CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|53\w{3}|57P0[1-5]|57014)$/;
const OUTAGE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

function reportingOutages(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await report(pool.connect());
      return new Proxy(client, {
        get(target, property) {
          if (property === 'query') {
            return (...query: Parameters<typeof client.query>) =>
              report(target.query(...query) as unknown as Promise<never>);
          }
          const value: unknown = Reflect.get(target, property, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
    },
  };
}

async function report<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (cause) {
    const { code = '', message = '' } = cause as { code?: string; message?: string };
    if (OUTAGE_CODES.test(code) || OUTAGE_MESSAGES.test(message)) {
      throw new DatabaseUnavailableError(`The database does not answer: ${message || code}`, { cause });
    }
    throw cause;
  }
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
