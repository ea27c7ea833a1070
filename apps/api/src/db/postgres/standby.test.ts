import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPostgres, type TestPostgres } from '../../testing/postgres.ts';
import { startServerProcess, type ServerProcess } from '../../testing/processes.ts';
import { postJson } from '../../testing/test-app.ts';
import { runsAll } from '../../testing/tier.ts';
import { openDatabase } from '../open-database.ts';

const UNWRITABLE = 'The registry can be read, but cannot store anything for the moment; please try again later.';

let folder: string;
let primary: TestPostgres;
let standby: TestPostgres;
let served: ServerProcess | undefined;

beforeAll(async () => {
  if (!runsAll) return;
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  primary = await createTestPostgres();
  await primary.start();
  const { engine } = await openDatabase(primary.url);
  await engine.close();
  await primary.stop();
  standby = await createTestPostgres(undefined, primary);
  await primary.start();
  await standby.start();
});

afterAll(async () => {
  if (!runsAll) return;
  await served?.stop('SIGKILL');
  await standby.remove();
  await primary.remove();
  await rm(folder, { recursive: true });
});

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Opens the standby, and returns why that fails. */
async function tryOpen(): Promise<string> {
  try {
    const { engine } = await openDatabase(standby.url);
    await engine.close();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test.skipIf(!runsAll)('a standby without tables is refused with a sentence', async () => {
  await run(primary.url, 'CREATE TABLE last AS SELECT * FROM kysely_migration');
  await run(primary.url, 'DELETE FROM kysely_migration');
  await expect.poll(tryOpen).toBe('The database is empty: it is a standby, and its primary creates its tables.');
  await run(primary.url, 'INSERT INTO kysely_migration SELECT * FROM last');
  await expect.poll(tryOpen).toBe('');
});

test.skipIf(!runsAll)(
  'a process on a standby serves reads and refuses writes, and writes after the promotion',
  async () => {
    const options = { webDir: join(folder, 'no-web') };
    const env = {
      PORT: '0',
      DATABASE_URL: standby.url,
      REGISTER_LIMIT: '100',
      PUBLIC_URL: 'https://registry.example',
      WEBHOOK_URL: 'http://127.0.0.1:9/',
      WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
    };
    served = await startServerProcess(folder, env, { options });
    const { url } = served;
    const readiness = async () => (await fetch(`${url}/readyz`)).text();
    const list = async () => (await fetch(`${url}/api/agents`)).json() as Promise<{ name: string }[]>;
    const register = (name: string) => postJson(`${url}/api/agents`, makeNewAgent({ name }));
    expect(await readiness()).toBe('standby');

    // Written on the primary by another process.
    const other = await startServerProcess(folder, { PORT: '0', DATABASE_URL: primary.url }, { options });
    const registered = await postJson(`${other.url}/api/agents`, makeNewAgent({ name: 'Otter' }));
    expect(registered.status).toBe(201);
    await expect.poll(async () => (await list()).map(({ name }) => name)).toEqual(['Otter']);
    const { id } = (await registered.json()) as { id: string };
    expect((await fetch(`${url}/api/agents/${id}`)).status).toBe(200);
    expect((await fetch(`${url}/api/search?q=otter`)).status).toBe(200);
    const refused = await register('Heron');
    expect([refused.status, await refused.text()]).toEqual([503, UNWRITABLE]);
    await other.stop('SIGTERM');

    await primary.stop();
    await run(standby.url, 'SELECT pg_promote()');
    await expect.poll(readiness).toBe('ready');
    expect((await register('Ibis')).status).toBe(201);
    expect((await list()).map(({ name }) => name).toSorted()).toEqual(['Ibis', 'Otter']);
    // That of the refused registration, and of no job.
    expect(served.log.filter((line) => JSON.parse(line).level >= 50)).toHaveLength(1);
  },
);
