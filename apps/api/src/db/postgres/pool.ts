import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Pool, TypeOverrides, types, type PoolClient } from 'pg';
import type { Config } from '../../config.ts';
import { defaultServerOptions, type ServerOptions } from '../../server-options.ts';
import { isPassing, isQueryTimeout, isRead, toOutage, toRefusal } from './outages.ts';

export type PostgresSettings = Pick<Config, 'DATABASE_POOL_SIZE' | 'DATABASE_STATEMENT_TIMEOUT'> &
  Partial<Pick<ServerOptions, 'connectTimeout'>>;

/**
 * How much longer the client waits than the server, which ends a slow statement and keeps the connection, in
 * milliseconds.
 */
const NETWORK_DELAY = 1_000;

/** How long the server keeps the locks of a transaction whose client is silent, in milliseconds. */
const IDLE_TRANSACTION_TIMEOUT = 60_000;

/** When the operating system begins to check a silent connection, in milliseconds. */
const KEEP_ALIVE_DELAY = 10_000;

// Compiling a plan takes longer than any statement here runs. The default cost of an operator is that of comparing two
// numbers, so the planner would match a search against the tokens of all agents rather than use the index. Parallel
// workers take longer to start than they save; what a frequent word finds among a million agents needs 16 MB.
const PLANNER_SETTINGS = [
  'jit = off',
  'cpu_operator_cost = 0.05',
  'random_page_cost = 1.1',
  'max_parallel_workers_per_gather = 0',
  "work_mem = '16MB'",
];

/**
 * Creates a connection pool for Kysely. Every statement has a timeout: a connection that does not respond in time is
 * destroyed.
 */
export function openPool(url: string, config: PostgresSettings): PostgresPool {
  const { DATABASE_STATEMENT_TIMEOUT: statementTimeout } = config;
  // Statements, because connection poolers refuse most parameters of the startup packet.
  const settings = [
    ...PLANNER_SETTINGS,
    `statement_timeout = ${statementTimeout}`,
    `idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT}`,
  ]
    .map((setting) => `SET ${setting}`)
    .join('; ');
  const pool = new Pool({
    connectionString: url,
    application_name: 'agent-registry',
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: config.connectTimeout ?? defaultServerOptions.connectTimeout,
    query_timeout: statementTimeout && statementTimeout + NETWORK_DELAY,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
    // A server that does not respond to the end of a connection must not delay the exit of the process.
    allowExitOnIdle: true,
    types: numbersAsNumbers(),
    onConnect: (connection) => connection.query(settings),
  });
  /** The connections opened since the last statement timeout. Earlier connections are likely lost as well. */
  let trusted = new WeakSet<PoolClient>();
  // An error of a connection arrives with its statement. Without a listener the event would end the process: the pool's
  // while the connection is idle, its own while it is in use.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    trusted.add(client);
    client.on('error', () => {});
  });

  return { options: pool.options, end: () => pool.end(), connect };

  async function connect(): Promise<PostgresPoolClient> {
    let client = await connectTrusted();
    let isLost = false;
    let isReleased = false;
    let isInTransaction = false;
    return {
      query: (async (text: string, parameters: unknown[]) => {
        isInTransaction ||= /^\s*(?:begin|start)\b/i.test(text);
        try {
          return await ask(text, parameters);
        } catch (error) {
          if (isInTransaction || !isPassing(error) || !isRead(text)) throw error;
          // Once more, by another connection: this one may be lost.
          client.release(true);
          isReleased = true;
          client = await connectTrusted();
          isReleased = false;
          return ask(text, parameters);
        }
        // Cursors, which the type allows as well, are not used here.
      }) as unknown as PostgresPoolClient['query'],
      release: (isBroken) => {
        if (!isReleased) client.release(isBroken || isLost);
      },
    };

    async function ask(text: string, parameters: unknown[]) {
      try {
        return await client.query(text, parameters);
      } catch (error) {
        if (isQueryTimeout(error)) {
          isLost = true;
          trusted = new WeakSet();
          // The next statement of the transaction fails immediately.
          client.connection.stream.destroy();
        }
        throw toOutage(error);
      }
    }
  }

  async function connectTrusted(): Promise<PoolClient> {
    try {
      for (;;) {
        const client = await pool.connect();
        if (trusted.has(client)) return client;
        client.connection.stream.destroy();
        client.release(true);
      }
    } catch (error) {
      throw toRefusal(error);
    }
  }
}

// Counts and ratings are numbers here; by default the driver returns 64-bit integers and decimals as strings.
function numbersAsNumbers(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  overrides.setTypeParser(types.builtins.NUMERIC, Number);
  return overrides;
}
