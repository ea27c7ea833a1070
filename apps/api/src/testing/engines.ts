import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';
import { inject } from 'vitest';
import { type Engine, beginVersions } from '../db/engine.ts';
import { openDatabase } from '../db/open-database.ts';
import { createPostgresTokenReader } from '../db/postgres/token-index.ts';
import { createSqliteTokenReader } from '../db/sqlite/token-index.ts';
import { recordTables, type RecordTable } from '../db/record-kinds.ts';
import type { Tables } from '../db/tables.ts';
import type { TokenReader } from '../search/agent-tokens.ts';
import { TEMPLATE_DATABASE } from './postgres.ts';
import { runsAll } from './tier.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The new SQLite file that each test database is a copy of. */
    sqliteTemplate: string;
  }
}

/** A new database for the tests of a file. */
export type TestDatabase = {
  /** The value of `DATABASE_URL`. */
  url: string;
  /** The open database; a new object after `reopen`. */
  readonly engine: Engine;
  /** Opens the reader of its token index, which counts up to `maxCounted` agents. */
  openTokenReader(maxCounted?: number): TokenReader;
  /** Closes and opens the database, like a restart of the process. */
  reopen(): Promise<void>;
  /**
   * Removes everything that tests stored, for the next test. Row numbers continue, and a vocabulary that a search has
   * read keeps its words; `reopen` makes it forget them.
   */
  empty(): Promise<void>;
  /** Closes the database and removes its content, tables included. */
  clear(): Promise<void>;
  /** Closes the database and removes it. */
  remove(): Promise<void>;
};

/** A database engine for tests. */
export type TestEngine = { name: string; open: () => Promise<TestDatabase> };

/** Tests of stores, of tables and of the odd inputs of routes run on all engines: `describe.each(engines)`. */
export const engines = [
  { name: 'sqlite', open: openSqliteFile },
  { name: 'postgres', open: openPostgresDatabase },
] as const satisfies readonly TestEngine[];

/** Tests of what works over the stores run on the first engine; with `pnpm test --all` on all. */
export const surfaceEngines: readonly TestEngine[] = runsAll ? engines : [engines[0]];

/** All tables but those with the secret and the id of the change log, which are as old as the database. */
const filledTables = [
  ...recordTables,
  ...(Object.keys({
    text_keys: true,
    agent_counts: true,
    connection_checks: true,
    hourly_jobs: true,
    publisher_logins: true,
    rate_limits: true,
    webhook: true,
  } satisfies Record<Exclude<keyof Tables, RecordTable | 'secrets' | 'change_log'>, true>) as (keyof Tables)[]),
];

async function emptyDatabase(engine: Engine): Promise<void> {
  const { db, tokens } = engine;
  await db.transaction().execute(async (transaction) => {
    // As every other change of many agents; views of the last test may be written meanwhile.
    await engine.lockWrites(transaction);
    await tokens.clear(transaction);
    // The second time for rows that triggers have written to other tables.
    for (let round = 0; round < 2; round += 1) {
      for (const table of await findFilled(transaction)) await transaction.deleteFrom(table).execute();
    }
    // Above every earlier version, so that no cached response is valid.
    await beginVersions(transaction);
  });
}

/** Finds the tables with rows, in one statement: most tests fill few. */
async function findFilled(db: Kysely<Tables>): Promise<(keyof Tables)[]> {
  const ifFilled = (table: keyof Tables) =>
    sql`SELECT ${sql.lit(table)} AS name WHERE EXISTS (SELECT 1 FROM ${sql.table(table)})`;
  const { rows } = await sql<{ name: keyof Tables }>`${sql.join(filledTables.map(ifFilled), sql` UNION ALL `)}`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

async function openSqliteFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  const file = join(folder, 'registry.db');
  const url = `file:${file}`;
  await copyFile(inject('sqliteTemplate'), file);
  let { engine } = await openDatabase(url);
  return {
    url,
    get engine() {
      return engine;
    },
    openTokenReader: (maxCounted) => createSqliteTokenReader(new SQLite(file, { readonly: true }), {}, maxCounted),
    async reopen() {
      await engine.close();
      ({ engine } = await openDatabase(url));
    },
    empty: () => emptyDatabase(engine),
    async clear() {
      await engine.close();
      for (const name of await readdir(folder)) await rm(join(folder, name));
    },
    async remove() {
      await engine.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openPostgresDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `registry_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(server);
  url.pathname = name;
  await runOnServer(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} STRATEGY FILE_COPY`);
  let { engine } = await openDatabase(url.href);
  return {
    url: url.href,
    get engine() {
      return engine;
    },
    openTokenReader: (maxCounted) => createPostgresTokenReader(engine.db, {}, maxCounted),
    async reopen() {
      await engine.close();
      ({ engine } = await openDatabase(url.href));
    },
    empty: () => emptyDatabase(engine),
    async clear() {
      await sql`DROP SCHEMA public CASCADE`.execute(engine.db);
      await sql`CREATE SCHEMA public`.execute(engine.db);
      await engine.close();
    },
    async remove() {
      await engine.close();
      await runOnServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };

  async function runOnServer(statement: string): Promise<void> {
    const client = new Client({ connectionString: server });
    await client.connect();
    await client.query(statement);
    await client.end();
  }
}
