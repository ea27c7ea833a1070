import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestPostgres, findPrograms } from './postgres.ts';
import { runsAll } from './tier.ts';

async function makeClosedFolder(): Promise<string> {
  // Its mode is 0700.
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-closed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test.runIf(runsAll)('a PostgreSQL server runs from programs below a folder that only its owner may enter', async () => {
  const programs = join(await makeClosedFolder(), 'native');
  await cp(findPrograms(), programs, { recursive: true, verbatimSymlinks: true });
  const server = await createTestPostgres(programs);
  onTestFinished(() => server.remove());
  await server.start();
  const client = new Client({ connectionString: server.url });
  await client.connect();
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});

test.runIf(runsAll)('a PostgreSQL server that cannot start says so in one sentence', async () => {
  const sentence = /^The PostgreSQL server of the tests cannot be started: [^\n]+\.$/;
  await expect(createTestPostgres(join(await makeClosedFolder(), 'missing'))).rejects.toThrow(sentence);
  const server = await createTestPostgres();
  onTestFinished(() => server.remove());
  await server.start();
  await expect(server.start()).rejects.toThrow(sentence);
});
