import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, Connection } from '@agent-registry/contracts';
import { Client } from 'pg';
import { createAgentStore } from '../../apps/api/src/stores.ts';
import { openDatabase } from '../../apps/api/src/db/open-database.ts';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { createTestPostgres } from '../../apps/api/src/testing/postgres.ts';

/** The database engines. */
export const engineNames = ['sqlite', 'postgres'] as const;
/** The name of a database engine. */
export type EngineName = (typeof engineNames)[number];

/** Options of the benchmarks. */
export type BenchOptions = {
  /** Measurements of each row of `service` and each page of `lighthouse`. */
  rounds: number;
  /** The duration of each measurement. */
  seconds: number;
  /** The numbers of agents of `search` and `lists`. */
  sizes: readonly number[];
  /** The engines of `search` and `lists`. */
  engines: readonly EngineName[];
  /** The commit beside which `service` measures; by default that of its page of results. */
  against?: string | undefined;
  /** How long `pauses` lets the server rest before it reads the memory, in seconds. */
  rest: number;
};

/** A database full of invented agents. */
export type Corpus = {
  engine: EngineName;
  /** Its `DATABASE_URL`. */
  url: string;
  /** The agents in it, newest first. */
  agents: Agent[];
};

/** Agents per transaction while a database is filled. */
const BATCH = 500;

/** Creates a database with `size` agents, which are MCP servers `withServers`, and removes it after `use`. */
export async function withCorpus(
  engine: EngineName,
  size: number,
  use: (corpus: Corpus) => Promise<void>,
  { withServers = false } = {},
): Promise<void> {
  const place = await (engine === 'sqlite' ? makeFile() : makePostgres());
  try {
    const agents = [...makeCorpus(size)].map((agent, index) =>
      withServers ? { ...agent, connections: [toServer(index)] } : agent,
    );
    const database = await openDatabase(place.url);
    const store = createAgentStore(database.engine);
    // Oldest first, as they would have been registered.
    for (let end = size; end > 0; end -= BATCH) await store.load(agents.slice(Math.max(0, end - BATCH), end));
    await database.engine.close();
    if (engine === 'postgres') await runStatement(place.url, 'VACUUM ANALYZE');
    await use({ engine, url: place.url, agents });
  } finally {
    await place.remove();
  }
}

function toServer(index: number): Connection {
  return { kind: 'mcp', transport: 'streamable-http', url: `https://agent${index}.example.com/mcp` };
}

/** The path of the file that the URL of a SQLite database names. */
export const toFile = (url: string) => url.slice('file:'.length);

/** The path of an agent in the API. */
export const toPath = ({ id }: Agent) => `/api/agents/${id}`;

/** A SQLite file in a folder of its own. */
export async function makeFile() {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-bench-'));
  return { url: `file:${join(folder, 'registry.db')}`, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A PostgreSQL database on a server of its own. */
export async function makePostgres() {
  const server = await createTestPostgres();
  await server.start();
  await runStatement(server.url, 'CREATE DATABASE registry');
  return { url: new URL('/registry', server.url).href, remove: () => server.remove() };
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
