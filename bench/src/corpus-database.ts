import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '@agent-registry/contracts';
import SQLite from 'better-sqlite3';
import { Client } from 'pg';
import { createKyselyAgentStore } from '../../apps/api/src/agents/kysely-agent-store.ts';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { openDatabase } from '../../apps/api/src/db/open-database.ts';
import { createTestPostgres } from '../../apps/api/src/testing/postgres.ts';

/** The engines on which benchmarks run. */
export const engineNames = ['sqlite', 'postgres'] as const;

/** The name of an engine. */
export type EngineName = (typeof engineNames)[number];

/** What a benchmark is to run on. */
export type BenchOptions = {
  sizes: readonly number[];
  engines: readonly EngineName[];
  /** Of `service` and `lighthouse`: how often each row is measured, for how many seconds, and which rows. */
  rounds: number;
  seconds: number;
  only: RegExp;
  /** Where `lighthouse` leaves Lighthouse's own reports; nowhere when undefined. */
  reports: string | undefined;
};

/** A database full of invented agents. */
export type CorpusDatabase = {
  engine: EngineName;
  /** The engine's name and version, to be read by people. */
  version: string;
  /** What `DATABASE_URL` would say. */
  url: string;
  /** The agents in it, newest first. */
  agents: Agent[];
  /** How long it took to store them, in seconds. */
  loadSeconds: number;
  /** What the search index takes, and everything together, in bytes. */
  bytes: { index: number; all: number };
};

/** Agents that are stored in one transaction. */
const BATCH = 500;

/** Makes a database of each size on each engine, one after the other, and removes each after its use. */
export async function forEachCorpusDatabase(
  { sizes, engines }: Pick<BenchOptions, 'sizes' | 'engines'>,
  use: (database: CorpusDatabase) => Promise<void>,
): Promise<void> {
  for (const engine of engines) {
    const place = await (engine === 'sqlite' ? makeSqliteFolder() : makePostgresServer());
    try {
      for (const size of sizes) {
        const url = await place.create(`registry_${size}`);
        const agents = [...makeCorpus(size)];
        const loadSeconds = await load(url, agents);
        const facts = await (engine === 'sqlite' ? readSqlite(url) : readPostgres(url));
        console.error(`${facts.version}: ${size} agents stored in ${loadSeconds.toFixed(1)} s`);
        await use({ engine, url, agents, loadSeconds, ...facts });
        await place.drop(`registry_${size}`);
      }
    } finally {
      await place.remove();
    }
  }
}

/** The path of the file that the URL of a SQLite database names. */
export function toPath(url: string): string {
  return url.slice('file:'.length);
}

/** Copies the SQLite database of a URL into a new file, as it is at one moment. */
export async function copySqlite(url: string, file: string): Promise<void> {
  const original = new SQLite(toPath(url));
  await original.backup(file);
  original.close();
}

/** Removes the file of a SQLite database, and those beside it. */
export async function removeSqlite(file: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(file + end, { force: true });
}

async function load(url: string, agents: readonly Agent[]): Promise<number> {
  const { engine } = await openDatabase(url);
  const store = createKyselyAgentStore(engine);
  const begin = performance.now();
  // Oldest first, as they would have been registered.
  for (let end = agents.length; end > 0; end -= BATCH) await store.load(agents.slice(Math.max(0, end - BATCH), end));
  const seconds = (performance.now() - begin) / 1_000;
  await engine.close();
  return seconds;
}

async function makeSqliteFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-bench-'));
  return {
    create: async (name: string) => `file:${join(folder, name)}`,
    drop: (name: string) => removeSqlite(join(folder, name)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function makePostgresServer() {
  const server = await createTestPostgres();
  await server.start();
  return {
    create: async (name: string) => {
      await query(server.url, `CREATE DATABASE ${name}`);
      const url = new URL(server.url);
      url.pathname = name;
      return url.href;
    },
    drop: (name: string) => query(server.url, `DROP DATABASE ${name} WITH (FORCE)`),
    remove: () => server.remove(),
  };
}

async function readSqlite(url: string) {
  const database = new SQLite(toPath(url));
  const read = (statement: string) => database.prepare(statement).pluck().get();
  const facts = {
    version: `SQLite ${String(read('SELECT sqlite_version()'))}`,
    bytes: {
      index: read(
        `SELECT sum(pgsize) FROM dbstat WHERE name GLOB 'agent_tokens*' OR name GLOB '*search_terms*'`,
      ) as number,
      all: read('SELECT sum(pgsize) FROM dbstat') as number,
    },
  };
  database.close();
  return facts;
}

async function readPostgres(url: string) {
  await query(url, 'VACUUM ANALYZE');
  const [facts] = await query(
    url,
    `SELECT
      'PostgreSQL ' || current_setting('server_version') AS version,
      pg_total_relation_size('agent_tokens') + pg_total_relation_size('search_terms') AS index,
      (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r') AS all`,
  );
  return { version: String(facts?.version), bytes: { index: Number(facts?.index), all: Number(facts?.all) } };
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement);
  await client.end();
  return rows;
}
