import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { startSourceServer, type SourceServer } from '../testing/source-server.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

// The stores are tested on both engines.
const [sqlite] = engines;
const source = {
  name: 'otters',
  kind: 'agent-registry',
  address: 'https://website.example/',
  contact: 'operator@example.com',
  licence: 'CC0-1.0',
  attribution: 'Otter Registry',
};

let own: TestDatabase;
let theirs: TestDatabase;
let app: TestApp;
let server: SourceServer;

beforeAll(async () => {
  [own, theirs, server] = await Promise.all([sqlite.open(), sqlite.open(), startSourceServer()]);
  app = await startTestApp({ database: theirs });
  return async () => {
    await app.close();
    await Promise.all([own.remove(), theirs.remove(), server.close()]);
  };
});

beforeEach(async () => {
  await Promise.all([own.empty(), theirs.empty()]);
  server.answerWith(async ({ pathname, search }) => {
    const response = await fetch(app.url + pathname + search);
    return { status: response.status, body: await response.text() };
  });
});

const follow = () => server.sync(own, [source]);
const listOwn = async () => (await createAgentStore(own.engine).list()).map(({ name }) => name).toSorted();

test('another registry is followed by its log of changes, page by page, and goes on from its cursor', async () => {
  const agents = Array.from({ length: 250 }, (_, index) => makeAgent({ name: `Otter ${index}` }));
  await app.agents.load(agents);
  expect(await follow()).toEqual({ stderr: '', code: 0, stdout: expect.stringContaining('250 to add') as string });
  expect(server.asked).toHaveLength(2);
  expect(await listOwn()).toEqual(agents.map(({ name }) => name).toSorted());

  const operator = createOperatorStore(theirs.engine);
  const [first, second] = agents as [(typeof agents)[0], (typeof agents)[0]];
  await operator.edit({ ids: new Set([first.id]) }, { name: 'Badger' });
  await operator.hide({ ids: new Set([second.id]) }, 'Spam');
  await app.agents.register(makeNewAgent({ name: 'Stoat' }));
  expect((await follow()).stdout).toContain(
    'otters (read since the last time): 1 to add, 1 to change, 1 to withdraw, 0 unchanged.',
  );
  const names = await listOwn();
  expect(names).toHaveLength(250);
  expect(names).toEqual(expect.arrayContaining(['Badger', 'Stoat']));
  expect(names).not.toContain('Otter 1');
  expect((await follow()).stdout).toContain('0 to add, 0 to change, 0 to withdraw, 0 unchanged.');
});

test('a registry whose log is another one, as after a restore, is read from its start', async () => {
  const agents = ['Otter', 'Badger', 'Stoat', 'Mole', 'Lynx'].map((name) => makeAgent({ name }));
  await app.agents.load(agents);
  await follow();
  const records = createOperatorStore(theirs.engine);
  await records.replace(
    (async function* read() {
      for (const agent of agents.slice(1)) yield { kind: 'agent' as const, agent };
    })(),
  );
  expect((await follow()).stdout).toContain(
    'otters (read completely): 0 to add, 0 to change, 1 to withdraw, 4 unchanged',
  );
  expect(await listOwn()).toEqual(['Badger', 'Lynx', 'Mole', 'Stoat']);
});

test('a source at another address is read from its start', async () => {
  await app.agents.load([makeAgent()]);
  await follow();
  await server.sync(own, [{ ...source, address: 'https://other.example' }]);
  expect(server.asked.at(-1)?.searchParams.has('after')).toBe(false);
});
