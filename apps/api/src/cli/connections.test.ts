import type { Connection } from '@agent-registry/contracts';
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

const run = (...options: string[]) =>
  runCommandLine(database.url, ['connections', '--suggest', ...options], server.fetch);

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

test('Without --suggest the command does nothing', async () => {
  expect(await runCommandLine(database.url, ['connections'], server.fetch)).toMatchObject({ code: 2 });
});
