import { setTimeout } from 'node:timers/promises';
import { defaultCategories } from '@agent-registry/contracts';
import { CompiledQuery, Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { Client } from 'pg';
import { createAgentSearch } from '../../search/search.ts';
import { kyselyOptions, type Engine, type EngineOptions, READ_CATEGORY_VERSION, READ_VERSION } from '../engine.ts';
import { DatabaseError, inTime } from '../../database-error.ts';
import { openPool, type PostgresSettings } from './pool.ts';
import { createPostgresTokenReader, isMatchInPostgres, postgresTokenWriter } from './token-index.ts';
import type { Tables } from '../tables.ts';

/** The modes of TLS that the driver takes for `verify-full`, with a warning that its next major version will not. */
const LOOSE_TLS_MODE = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/** The longest wait for the run before, in milliseconds: a lost connection is detected only after some seconds. */
const MAX_WAIT = 1_000;

/** How often a process asks whether another one still creates the tables, in milliseconds. */
const SCHEMA_POLL = 100;

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
  { categories = defaultCategories, serverNamespace, onQuery }: EngineOptions = {},
): Engine {
  const url = withStrictTls(databaseUrl);
  assertUrl(url);
  const dialect = new TransactionDialect({ pool: openPool(url, settings) });
  const db = new Kysely<Tables>({ dialect, ...kyselyOptions(onQuery) });
  const readVersionWith = async (statement: string, ...parameters: string[]) => {
    const { rows } = await db.executeQuery<{ version: string | null }>(CompiledQuery.raw(statement, parameters));
    return rows[0]?.version ?? '';
  };
  const readVersion = coalesce(() => readVersionWith(READ_VERSION));
  return {
    name: 'postgres',
    db,
    categories,
    serverNamespace,
    tokens: postgresTokenWriter,
    search: createAgentSearch(createPostgresTokenReader(db)),
    isMatch: isMatchInPostgres,
    readMuch: async (query) => (await db.executeQuery(query)).rows,
    version: (category) => (category === undefined ? readVersion() : readVersionWith(READ_CATEGORY_VERSION, category)),
    async isStandby() {
      const { rows } = await sql<{ standby: boolean }>`SELECT pg_is_in_recovery() AS standby`.execute(db);
      return rows[0]?.standby === true;
    },
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
    async lockSchema(transaction) {
      // Asked again and again, since a statement that waits would run into the time limit of statements.
      const lock = sql<{ taken: boolean }>`SELECT pg_try_advisory_xact_lock(hashtext('agent-registry')) AS taken`;
      while ((await lock.execute(transaction)).rows[0]?.taken !== true) await setTimeout(SCHEMA_POLL);
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

/**
 * Coalesces concurrent calls: all calls made while one runs share the next run, so no call gets a result older than
 * itself. A run starts after the run before it has ended, or after `MAX_WAIT`.
 */
function coalesce<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;

  async function begin(previous: Promise<unknown>): Promise<Result> {
    await inTime(previous, performance.now() + MAX_WAIT).catch(() => {});
    next = undefined;
    return call();
  }

  return () => {
    if (!next) last = next = begin(last);
    return next;
  };
}

/**
 * The URL of a database with the mode of TLS that applies: `prefer`, `require` and `verify-ca` mean `verify-full`, now and
 * with every version of the driver. A URL with `uselibpqcompat`, which asks for the weaker meanings, stays as it is.
 */
function withStrictTls(url: string): string {
  return /[?&]uselibpqcompat=/.test(url) ? url : url.replace(LOOSE_TLS_MODE, 'verify-full');
}
