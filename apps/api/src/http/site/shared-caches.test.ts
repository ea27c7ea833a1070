import { createManagementKey, toAgentPath, toViewPath, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createOperatorStore, type OperatorStore } from '../../operator/operator-store.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { send, startTestApp, TEST_PAGE, type TestApp } from '../../testing/test-app.ts';

const HOUR = 3_600_000;
const SHARED = 'public, max-age=0, must-revalidate, s-maxage=60, stale-while-revalidate=60';
const PUBLIC_URL = 'https://registry.example';

describe.each(surfaceEngines)('a page on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let operator: OperatorStore;
  let shown: Agent;
  let similar: Agent;

  beforeAll(async () => {
    database = await open();
    operator = createOperatorStore(database.engine);
    app = await startTestApp({
      database,
      withSite: true,
      PUBLIC_URL,
      SHARED_CACHE_SECONDS: 60,
      READ_LIMIT: 1_000,
    });
  });

  beforeEach(async () => {
    // Each test in an hour of its own, in which nothing is kept yet.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR });
    await database.empty();
    shown = makeAgent({ category: 'vision', name: 'Otter' });
    similar = makeAgent({ category: 'vision', name: 'Heron' });
    await app.agents.load([shown, similar]);
  });

  afterAll(async () => {
    vi.useRealTimers();
    await app.close();
    await database.remove();
  });

  const read = (path: string, headers = {}) => send(app.url + path, { headers });
  const readNames = async (path: string) =>
    (
      JSON.parse((await read(path)).body.replace(TEST_PAGE, '')) as { names?: string[]; total?: number }
    ).names?.toSorted();

  /** Reads a page, and returns a function that tells whether it is still the same. */
  async function watch(path: string): Promise<() => Promise<boolean>> {
    const { status, headers } = await read(path);
    expect(status).toBe(200);
    return async () => (await read(path, { 'if-none-match': headers.etag })).status === 304;
  }

  test('of an agent, of a category and of a comparison stays while other agents are registered and viewed', async () => {
    const other = makeAgent({ category: 'coding' });
    await app.agents.load([other]);
    const paths = [toAgentPath(shown.id), '/?category=vision', `/?compare=${shown.id},${similar.id}`];
    const isSame = await Promise.all(paths.map(watch));
    await app.agents.register(makeNewAgent({ category: 'coding' }));
    for (const id of [other.id, shown.id]) await send(app.url + toViewPath(id), { method: 'POST' });
    expect(await Promise.all(isSame.map((check) => check()))).toEqual([true, true, true]);
  });

  test('of a category changes with each of its agents, one that leaves it included', async () => {
    const path = '/?category=vision';
    const isSame = await watch(path);
    await app.agents.register(makeNewAgent({ category: 'vision', name: 'Ibis' }));
    expect(await isSame()).toBe(false);
    expect(await readNames(path)).toEqual(['Heron', 'Ibis', 'Otter']);
    await database.engine.db.updateTable('agents').set({ category: 'coding' }).where('id', '=', shown.id).execute();
    expect(await readNames(path)).toEqual(['Heron', 'Ibis']);
    await operator.hide({ ids: new Set([similar.id]) }, 'spam');
    expect(await readNames(path)).toEqual(['Ibis']);
  });

  test('of an agent changes with it and with each agent that it shows, and shows new ones after an hour', async () => {
    const path = toAgentPath(shown.id);
    expect(await readNames(path)).toEqual(['Heron', 'Otter']);
    await app.agents.load([makeAgent({ category: 'vision', name: 'Ibis' })]);
    const set = (agent: Agent, name: string) =>
      database.engine.db.updateTable('agents').set({ name }).where('id', '=', agent.id).execute();
    await set(similar, 'Egret');
    expect(await readNames(path)).toEqual(['Egret', 'Otter']);
    await set(shown, 'Beaver');
    expect(await readNames(path)).toEqual(['Beaver', 'Egret']);
    await operator.hide({ ids: new Set([similar.id]) }, 'spam');
    expect(await readNames(path)).toEqual(['Beaver']);
    vi.setSystemTime(Date.now() + HOUR);
    expect(await readNames(path)).toEqual(['Beaver', 'Ibis']);
    await operator.hide({ ids: new Set([shown.id]) }, 'spam');
    expect((await read(path)).status).toBe(404);
  });

  test('may be kept by shared caches without what is about one client, as all public reads', async () => {
    for (const [path, vary, more = ''] of [
      ['/', 'Accept, Accept-Encoding', ', no-transform'],
      [toAgentPath(shown.id), 'Accept, Accept-Encoding', ', no-transform'],
      ['/api/agents', 'Accept-Encoding'],
      ['/api/search?q=otter&limit=1', 'Accept-Encoding'],
      // Owners read it, too.
      [`/api/agents/${shown.id}`, 'Authorization, Accept-Encoding'],
      ['/sitemap.xml', 'Accept-Encoding'],
    ] as const) {
      for (const round of ['miss', 'hit']) {
        const { headers } = await read(path);
        expect({ path, round, ...headers }).toMatchObject({ 'cache-control': SHARED + more, vary });
        for (const name of ['ratelimit', 'ratelimit-policy', 'x-request-id']) expect(headers).not.toHaveProperty(name);
        const unchanged = await read(path, { 'if-none-match': headers.etag });
        expect([unchanged.status, unchanged.headers['cache-control']]).toEqual([304, SHARED + more]);
      }
    }
  });

  test('is kept by no shared cache if it is an error or for an owner', async () => {
    const key = createManagementKey();
    const { agent } = await app.agents.register(makeNewAgent(), { key });
    for (const [path, headers, expected] of [
      [`/api/agents/${agent.id}`, { authorization: `Bearer ${key}` }, 'private, no-store'],
      ['/api/agents?limit=x', {}, 'no-store'],
      ['/api/agents/00000000-0000-4000-8000-000000000000', {}, 'no-store'],
      ['/agent/00000000-0000-4000-8000-000000000000', {}, 'no-store, no-transform'],
      ['/nowhere', {}, 'no-store, no-transform'],
    ] as const) {
      expect([path, (await read(path, headers)).headers['cache-control']]).toEqual([path, expected]);
    }
  });
});
