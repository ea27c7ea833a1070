import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, Connection } from '@agent-registry/contracts';
import { hostileConnections } from '@agent-registry/contracts/testing/hostile-connections';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { runCommandLine, startSourceServer, type SourceServer } from '../testing/source-server.ts';

const CARD = '/.well-known/agent-card.json';
const card = {
  name: 'Otter',
  description: 'Sorts mail.',
  version: '1',
  supportedInterfaces: [{ url: 'https://website.example/v1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
};

let database: TestDatabase;
let server: SourceServer;

beforeAll(async () => {
  [database, server] = await Promise.all([engines[0].open(), startSourceServer()]);
});

afterAll(async () => {
  await database.remove();
  await server.close();
});

const run = (...options: string[]) => runCommandLine(database, ['connections', '--suggest', ...options], server);

test('Connections of agents without an owner are suggested with their source, and added with --yes', async () => {
  const store = createAgentStore(database.engine);
  const website = 'https://website.example/';
  const own: Connection = { kind: 'openapi', url: 'https://website.example/openapi.json' };
  const { agent } = await store.register(makeNewAgent({ name: 'Otter\u001B', website }));
  const owned = await store.register(makeNewAgent({ name: 'Owned', website }), { key: 'key' });
  const connected = await store.register(makeNewAgent({ name: 'Connected', website, connections: [own] }));
  const forbidden = await store.register(makeNewAgent({ name: 'Forbidden', website: 'https://other.example/' }));
  server.answerWith(({ hostname, pathname }) => {
    if (pathname === '/robots.txt') {
      return { body: hostname === 'other.example' ? 'User-agent: AgentRegistry\nDisallow: /' : '' };
    }
    return pathname === CARD ? { headers: { 'content-type': 'application/json' }, body: card } : { status: 404 };
  });

  const listed = await run();
  const row = [agent.id, 'Otter\uFFFD', `a2a https://website.example${CARD}`, 'agent-card.json'].join('\t');
  expect(listed).toEqual({
    code: 1,
    stdout: `${row}\n1 website read: 1 agent with connections.\n`,
    stderr: 'Nothing was changed. Repeat the command with --yes to do it.\n',
  });
  expect(server.asked.filter(({ hostname }) => hostname === 'other.example').map(({ pathname }) => pathname)).toEqual([
    '/robots.txt',
  ]);
  const connectionsOf = async (id: string) => (await store.find(id))?.connections;
  expect(await connectionsOf(agent.id)).toBeUndefined();

  expect(await run('--yes')).toMatchObject({ code: 0, stderr: '' });
  expect(await connectionsOf(agent.id)).toEqual([{ kind: 'a2a', card: `https://website.example${CARD}` }]);
  expect(await connectionsOf(owned.agent.id)).toBeUndefined();
  expect(await connectionsOf(connected.agent.id)).toEqual([own]);
  expect(await connectionsOf(forbidden.agent.id)).toBeUndefined();
  expect((await run()).stdout).toBe('0 websites read: 0 agents with connections.\n');
});

test('Hostile connections are refused by imports and edits, and left out of entries of sources', async () => {
  await database.empty();
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
  expect(await server.sync(database, [source], '--yes')).toMatchObject({ code: 0 });
  const listed = (await store.list()) as Agent[];
  expect(listed).toHaveLength(entries.length + 1);
  expect(listed.filter(({ connections }) => connections)).toEqual([]);
});

test('Without --suggest the command does nothing', async () => {
  expect(await runCommandLine(database, ['connections'], server)).toMatchObject({ code: 2 });
});
