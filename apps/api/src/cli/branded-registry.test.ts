import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { readConfig } from '../config.ts';
import { engines } from '../testing/engines.ts';
import { runRegistry } from './run-registry.ts';

test('import knows the categories of SITE_CONFIG, export has them, and a search finds their names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = await engines[0].open();
  onTestFinished(() => database.remove());
  const SITE_CONFIG = join(import.meta.dirname, '../../../../deploy/site.example.json');
  const run = (...args: string[]) =>
    runRegistry(args, {
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      loadConfig: () => readConfig({ DATABASE_URL: database.url, SITE_CONFIG }),
    });
  const [given, exported] = ['given.ndjson', 'exported.ndjson'].map((name) => join(folder, name)) as [string, string];
  const mower = { name: 'Mower', description: 'Mows.', category: 'garden', contactEmail: 'owner@example.com' };
  await writeFile(given, `${JSON.stringify(mower)}\n`);

  expect(await run('import', given)).toBe(0);
  const found = await createAgentStore(database.engine).search({ text: 'field' });
  expect(found?.agents).toMatchObject([mower]);
  expect(await run('export', exported)).toBe(0);
  expect(JSON.parse(await readFile(exported, 'utf8'))).toMatchObject(mower);
});
