import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '@agent-registry/contracts';
import { hostileConnections } from '@agent-registry/contracts/testing/hostile-connections';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { runCommandLine, startSourceServer, type SourceServer } from '../testing/source-server.ts';

let database: TestDatabase;
let server: SourceServer;

beforeAll(async () => {
  [database, server] = await Promise.all([engines[0].open(), startSourceServer()]);
});

afterAll(async () => {
  await database.remove();
  await server.close();
});

test('Hostile connections are refused by imports and edits, and left out of entries of sources', async () => {
  const store = createAgentStore(database.engine);
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  const entries = hostileConnections.map(({ connection }, index) => ({
    ...makeNewAgent({ name: `Hostile ${index}`, website: null }),
    connections: [connection],
  }));
  const lines = entries.map((entry) => JSON.stringify(entry)).join('\n');
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const rows = entries.map(({ name, connections }) =>
    ['x', 'a@b.example', name, JSON.stringify(connections)].map(quote),
  );
  const files = { 'a.ndjson': lines, 'b.csv': `description,contactEmail,name,connections\n${rows.join('\n')}` };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await writeFile(path, text);
    const { code, stderr } = await runCommandLine(database, ['import', path, '--category', 'automation']);
    expect([code, await store.count()]).toEqual([1, 0]);
    expect(stderr).toContain('connections[0].');
    const rejected = (await readFile(`${path}.rejected.ndjson`, 'utf8')).trim().split('\n');
    expect(rejected).toHaveLength(entries.length);
  }
  await rm(folder, { recursive: true });

  const { agent } = await store.register(makeNewAgent({ name: 'Edited' }));
  for (const { connection } of hostileConnections.filter((_, index) => index % 20 === 0)) {
    const value = `connections=${JSON.stringify([connection])}`;
    expect(await runCommandLine(database, ['edit', agent.id, value])).toMatchObject({ code: 1 });
  }

  const changes = entries.map((entry, index) => ({ id: String(index), change: 'listed', agent: entry }));
  server.answerWith(() => ({ body: { changes, next: 'x' } }));
  const source = {
    name: 'hostile',
    kind: 'agent-registry',
    address: 'https://website.example',
    categories: { '*': 'automation' },
    contact: 'operator@example.com',
    licence: 'CC0-1.0',
    attribution: 'Hostile',
  };
  expect(await server.sync(database, [source])).toMatchObject({ code: 0 });
  const listed = (await store.list()) as Agent[];
  expect(listed).toHaveLength(entries.length + 1);
  expect(listed.filter(({ connections }) => connections)).toEqual([]);
});
