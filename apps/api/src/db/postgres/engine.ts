import { setTimeout } from 'node:timers/promises';
import { defaultCategories } from '@agent-registry/contracts';
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { Client } from 'pg';
import { createAgentSearch } from '../../search/search.ts';
import { kyselyOptions, type Engine, type EngineOptions } from '../engine.ts';
import { DatabaseError } from '../../database-error.ts';
import { coalesce } from './coalesce.ts';
import { openPool, type PostgresSettings } from './pool.ts';
import { withStrictTls } from './strict-tls.ts';
import { createPostgresTokenReader, matchInPostgres, postgresTokenWriter } from './token-index.ts';
import { READ_VERSION } from '../registry-version.ts';
import type { Tables } from '../tables.ts';

/** How often a process asks whether another one still migrates, in milliseconds. */
const MIGRATION_POLL = 100;

/** The adapter for migrations in a transaction, which takes the lock itself: poolers share a lock of the session. */
class TransactionAdapter extends PostgresAdapter {
  override async acquireMigrationLock() {}
  override async releaseMigrationLock() {}
}

class TransactionDialect extends PostgresDialect {
  override createAdapter() {
    return new TransactionAdapter();
  }
}

/**
 * Opens a PostgreSQL database; it connects with the first statement, and anew after an outage.
 * @throws {DatabaseError} when the URL is not valid.
 */
export function openPostgres(
  databaseUrl: string,
  settings: PostgresSettings,
  { categories = defaultCategories, onQuery }: EngineOptions = {},
): Engine {
  const url = withStrictTls(databaseUrl);
  assertUrl(url);
  const dialect = new TransactionDialect({ pool: openPool(url, settings) });
  const db = new Kysely<Tables>({ dialect, ...kyselyOptions(onQuery) });
  return {
    name: 'postgres',
    db,
    categories,
    tokens: postgresTokenWriter,
    search: createAgentSearch(createPostgresTokenReader(db)),
    matching: matchInPostgres,
    readMuch: async (query) => (await db.executeQuery(query)).rows,
    version: coalesce(async () => {
      const { rows } = await sql<{ version: string | null }>`${sql.raw(READ_VERSION)}`.execute(db);
      return rows[0]?.version ?? '';
    }),
    async takeSeqs(transaction, count) {
      const { rows } = await sql<{ seq: number }>`
        SELECT nextval(pg_get_serial_sequence('agents', 'seq')) AS seq FROM generate_series(1, ${count}::integer)
      `.execute(transaction);
      return rows.map(({ seq }) => seq);
    },
    // Tables in the order in which a registration writes them, so that the two never wait for each other.
    async lockWrites(transaction) {
      await sql`LOCK TABLE registration_keys, agents, unlisted_agents IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
    },
    async lockMigrations(transaction) {
      // Asked again and again, since a statement that waits would run into the time limit of statements.
      const lock = sql<{ taken: boolean }>`SELECT pg_try_advisory_xact_lock(hashtext('agent-registry')) AS taken`;
      while ((await lock.execute(transaction)).rows[0]?.taken !== true) await setTimeout(MIGRATION_POLL);
    },
    purge: async () => {},
    close: () => db.destroy(),
  };
}

/**
 * Refuses a database that cannot store every text.
 * @throws {DatabaseError} with the statement that creates a database that can.
 */
export async function assertEncoding({ db }: Engine): Promise<void> {
  const { rows } = await sql<{ encoding: string; name: string }>`
    SELECT current_setting('server_encoding') AS encoding, quote_ident(current_database()) AS name
  `.execute(db);
  const [database] = rows;
  if (!database || database.encoding === 'UTF8') return;
  const statement = `CREATE DATABASE ${database.name} ENCODING 'UTF8' TEMPLATE template0`;
  const reason = new Error(`its encoding is ${database.encoding} and must be UTF8. Create one with ${statement}`);
  throw new DatabaseError('The database cannot be opened', reason);
}

function assertUrl(url: string): void {
  let reason = new Error('the port in DATABASE_URL is not a number');
  try {
    if (!Number.isNaN(new Client({ connectionString: url }).port)) return;
  } catch (cause) {
    const message = (cause as Error).message;
    reason = new Error(
      /^(Invalid URL|URI malformed)$/.test(message)
        ? 'DATABASE_URL is not a valid URL; characters such as # and % in the password must be percent-encoded'
        : message,
      { cause },
    );
  }
  throw new DatabaseError('The database cannot be opened', reason);
}
