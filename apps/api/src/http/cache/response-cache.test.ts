import { randomUUID } from 'node:crypto';
import { MAX_PAGE_SIZE, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MEBIBYTE } from '../../config.ts';
import { createAgentStore, type AgentStore } from '../../stores.ts';
import type { ListRequest } from '../../agents/agent-lists.ts';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { DatabaseUnavailableError } from '../../database-error.ts';
import { QueueFullError } from '../../rate-limit/task-queue.ts';
import type { ViewStore } from '../../stats/view-store.ts';
import { openDatabase } from '../../db/open-database.ts';
import { engines, surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import {
  makeFailingStore,
  postJson,
  send,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from '../../testing/test-app.ts';
import { runsAll } from '../../testing/tier.ts';

/** A store that counts its calls, apart from reads of the version. */
function countingCalls(store: AgentStore): AgentStore & { calls: () => number } {
  let calls = 0;
  const counted = Object.fromEntries(
    Object.entries(store).map(([name, method]) => [
      name,
      typeof method === 'string'
        ? method
        : (...args: never[]) => {
            if (!name.startsWith('version')) calls += 1;
            return (method as (...args: never[]) => unknown)(...args);
          },
    ]),
  ) as unknown as AgentStore;
  return { ...counted, calls: () => calls };
}

const PER_REQUEST = { date: expect.any(String), 'x-request-id': expect.any(String) };

describe.each(surfaceEngines)('the response cache on $name', ({ open }) => {
  let database: TestDatabase;
  /** The store of another process. */
  let elsewhere: AgentStore;
  let agents: ReturnType<typeof countingCalls>;
  /** The app of the tests without options or views of their own; `empty` invalidates what it has cached. */
  let app: TestApp;
  let old: Agent;

  beforeAll(async () => {
    database = await open();
    elsewhere = createAgentStore(database.engine);
    agents = countingCalls(elsewhere);
    app = await startTestApp({ database, agents, withSite: true });
  });

  beforeEach(() => database.empty());

  beforeEach(async () => {
    old = makeAgent({ category: 'vision', description: 'Watches the river. '.repeat(80) });
    await elsewhere.load([old]);
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  async function start(options: TestAppOptions): Promise<TestApp> {
    const started = await startTestApp({ database, agents, withSite: true, ...options });
    onTestFinished(() => started.close());
    return started;
  }

  const paths = () => [
    '/api/agents',
    '/api/agents?limit=1',
    '/api/agents/category/vision',
    '/api/search?q=river',
    '/api/stats',
    '/',
    '/sitemap.xml',
    '/nowhere',
    `/api/agents/${old.id}`,
  ];

  async function isHit(url: string): Promise<boolean> {
    const calls = agents.calls();
    await send(url);
    return agents.calls() === calls;
  }

  test('sends the same response again without a read, until an agent changes', async () => {
    const { url } = app;
    for (const path of paths()) {
      const first = await send(url + path);
      const calls = agents.calls();
      const second = await send(url + path);
      expect(second).toEqual({ ...first, headers: { ...first.headers, ...PER_REQUEST } });
      expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
      expect(agents.calls()).toBe(calls);
    }
  });

  test('never sends a stale response after a change by another process', async () => {
    const { url } = app;
    for (const path of ['/api/agents', '/api/agents/category/vision', '/api/search?q=otter', '/api/stats']) {
      const before = await send(url + path);
      await elsewhere.load([makeAgent({ category: 'vision', name: `Otter ${path}` })]);
      const after = await send(url + path);
      expect(after.body).not.toBe(before.body);
      expect(after.headers.etag).not.toBe(before.headers.etag);
    }
    await database.engine.db.deleteFrom('agents').where('id', '=', old.id).execute();
    expect((await send(`${url}/api/agents/${old.id}`)).status).toBe(404);
  });

  test('does not keep a response for the version of a change made while it was produced', async () => {
    let isChanging = true;
    const { url } = await start({
      agents: {
        ...agents,
        find: async (id) => {
          const agent = await agents.find(id);
          if (isChanging) await database.engine.db.updateTable('agents').set({ name: 'Heron' }).execute();
          return agent;
        },
      },
    });
    await send(`${url}/api/agents/${old.id}`);
    isChanging = false;
    expect(JSON.parse((await send(`${url}/api/agents/${old.id}`)).body)).toMatchObject({ name: 'Heron' });
  });

  test('does not share a production that began before a change', async () => {
    const read = Promise.withResolvers<void>();
    const found = Promise.withResolvers<void>();
    const find = vi
      .fn<AgentStore['find']>((id) => agents.find(id))
      .mockImplementationOnce(async (id) => {
        const agent = await agents.find(id);
        read.resolve();
        await found.promise;
        return agent;
      });
    const { url } = await start({ agents: { ...agents, find } });
    const status = async () => (await send(`${url}/api/agents/${old.id}`)).status;
    const first = status();
    await read.promise;
    await createOperatorStore(database.engine).hide({ ids: new Set([old.id]) }, 'spam');
    expect(await status()).toBe(404);
    found.resolve();
    expect(await first).toBe(200);
    expect(await status()).toBe(404);
  });

  test('never sends a response from before a copy of the database was put back, after as many changes', async () => {
    const { url } = app;
    const ids = async () => (JSON.parse((await send(`${url}/api/agents`)).body) as Agent[]).map(({ id }) => id);
    const [lost, added] = [makeAgent({ category: 'vision' }), makeAgent({ category: 'vision' })];
    const { db } = database.engine;
    const copied = await db.selectFrom('agent_counts').selectAll().execute();
    await elsewhere.load([lost]);
    expect(await ids()).toContain(lost.id);
    await db.deleteFrom('agents').where('id', '=', lost.id).execute();
    await db.deleteFrom('agent_counts').execute();
    await db.insertInto('agent_counts').values(copied).execute();
    await elsewhere.load([added]);
    expect((await ids()).toSorted()).toEqual([added.id, old.id].toSorted());
  });

  test('ignores unknown query parameters and the host in keys of the API', async () => {
    const { url } = app;
    for (const path of ['/api/agents', '/api/search?q=river', '/']) await send(url + path);
    for (const path of ['/api/agents?x=1', '/api/search?y=2&q=river', '/?utm_source=a']) {
      expect(await isHit(url + path)).toBe(true);
    }
    const calls = agents.calls();
    await send(`${url}/api/agents`, { headers: { host: 'elsewhere.example' } });
    expect(agents.calls()).toBe(calls);
    expect(await isHit(`${url}/api/agents?limit=1`)).toBe(false);
    expect(await isHit(`${url}/?category=vision`)).toBe(false);
  });

  test('has one entry for the values of a filter in any order, repeated or joined', async () => {
    const { url } = app;
    await fetch(`${url}/api/agents?limit=1&pricing=free,paid&sort=name`);
    const calls = agents.calls();
    for (const query of ['sort=name&limit=1&pricing=paid,free', 'pricing=paid&limit=1&pricing=free&sort=name']) {
      expect((await fetch(`${url}/api/agents?${query}`)).status).toBe(200);
    }
    expect(agents.calls()).toBe(calls);
  });

  test('is not evicted by a flood of made-up parameters and unknown paths', async () => {
    const { url } = await start({ CACHE_SIZE: 16_000 / MEBIBYTE });
    await send(`${url}/api/agents`);
    for (let index = 0; index < 40; index += 1) {
      await send(`${url}/api/agents?x=${index}`);
      await send(`${url}/nowhere-${index}`);
      await send(`${url}/?sort=x${index}`);
      await send(`${url}/agent/${randomUUID()}?manage=x${index}`);
      await send(`${url}/agent/x${index}`);
    }
    expect(await isHit(`${url}/api/agents`)).toBe(true);
    expect(await isHit(`${url}/nowhere-at-all`)).toBe(true);
    expect(await isHit(`${url}/?sort=other`)).toBe(true);
    expect(await isHit(`${url}/agent/${randomUUID()}?manage=other`)).toBe(true);
    expect(await isHit(`${url}/agent/other`)).toBe(true);
  });

  test('keeps pages apart by the host that they name', async () => {
    const { url } = app;
    const read = async (host: string) => (await send(`${url}/sitemap.xml`, { headers: { host } })).body;
    for (let round = 0; round < 2; round += 1) {
      expect(await read('one.example')).toContain('http://one.example/');
      expect(await read('two.example')).toContain('http://two.example/');
    }
  });

  test('sends a strong ETag that every process agrees on, and 304 to it', async () => {
    const [one, other] = [await start({}), await start({})];
    for (const path of paths().filter((path) => path !== '/nowhere' && path !== '/' && path !== '/sitemap.xml')) {
      const { headers } = await send(one.url + path);
      const { etag = '' } = headers;
      const vary = path.includes(old.id) ? 'Authorization, Accept-Encoding' : 'Accept-Encoding';
      expect(headers).toMatchObject({ 'cache-control': 'public, max-age=0, must-revalidate', vary });
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const [origin, method] of [
        [one.url, 'GET'],
        [one.url, 'HEAD'],
        [other.url, 'GET'],
      ]) {
        const response = await send(origin + path, { method, headers: { 'if-none-match': `W/"x", ${etag}` } });
        expect(response).toMatchObject({ status: 304, body: '' });
        expect(response.headers).toMatchObject({ etag, 'x-content-type-options': 'nosniff' });
        expect(response.headers).not.toHaveProperty('content-type');
      }
    }
  });

  test('sends 412 to an If-Match without a strong ETag of the response', async () => {
    const path = `${app.url}/api/agents/${old.id}`;
    const { etag = '' } = (await send(path)).headers;
    const status = async (ifMatch: string) => (await send(path, { headers: { 'if-match': ifMatch } })).status;
    for (const ifMatch of [etag, `"x", ${etag}`, '*']) expect(await status(ifMatch)).toBe(200);
    for (const ifMatch of ['"x"', `W/${etag}`, 'nonsense']) expect(await status(ifMatch)).toBe(412);
    const missing = await send(`${app.url}/api/agents/${randomUUID()}`, { headers: { 'if-match': etag } });
    expect(missing.status).toBe(404);
  });

  test('sends errors as errors, with any If-None-Match', async () => {
    const { url } = app;
    const { etag = '' } = (await send(`${url}/api/agents`)).headers;
    const status = async (path: string) => (await send(url + path, { headers: { 'if-none-match': etag } })).status;
    expect(await status('/api/agents')).toBe(304);
    expect(await status(`/api/agents/${randomUUID()}`)).toBe(404);
    expect(await status('/api/agents?limit=abc')).toBe(400);
    expect(await status('/api/search?q=')).toBe(400);
    expect(await status(`/api/agents/${old.id}`)).toBe(200);
  });

  test('gives the page of a process with other settings another ETag', async () => {
    const { etag = '' } = (await send(`${app.url}/`)).headers;
    const closed = await start({ REGISTRATION: 'closed' });
    expect((await send(`${closed.url}/`, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test.each(['br', 'gzip'])('compresses the first response with %s, under an ETag of its own', async (encoding) => {
    const { url } = app;
    const plain = await send(`${url}/api/agents`);
    const { headers, body } = await send(`${url}/api/agents`, { headers: { 'accept-encoding': encoding } });
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      etag: plain.headers.etag?.replace(/"$/, `-${encoding}"`),
    });
    expect(Number(headers['content-length'])).toBeLessThan(plain.body.length);
    expect(body).toBe(plain.body);
    for (const etag of [headers.etag, plain.headers.etag]) {
      expect((await send(`${url}/api/agents`, { headers: { 'if-none-match': etag as string } })).status).toBe(304);
    }
  });

  test('produces a response once for concurrent clients, also when the first one disconnects', async () => {
    const found = Promise.withResolvers<void>();
    const find = vi.fn<AgentStore['find']>(async (id) => {
      await found.promise;
      return agents.find(id);
    });
    const { url, app } = await start({ agents: { ...agents, find } });
    const routing = vi.fn<() => void>();
    app.server.on('request', routing);
    const leaving = new AbortController();
    const first = fetch(`${url}/api/agents/${old.id}`, { signal: leaving.signal });
    const others = [send(`${url}/api/agents/${old.id}`), send(`${url}/api/agents/${old.id}`)];
    await expect.poll(() => routing.mock.calls).toHaveLength(3);
    leaving.abort();
    await expect(first).rejects.toThrow();
    found.resolve();
    for (const response of others) expect((await response).status).toBe(200);
    expect(find).toHaveBeenCalledOnce();
  });

  test('produces a response once for all that wait for a client with too many others waiting', async () => {
    const { promise: refusal, reject } = Promise.withResolvers<never>();
    const find = vi.fn<AgentStore['find']>((id) => agents.find(id)).mockReturnValueOnce(refusal);
    const { url, app } = await start({ agents: { ...agents, find } });
    const routing = vi.fn<() => void>();
    app.server.on('request', routing);
    const responses = Array.from({ length: 5 }, () => send(`${url}/api/agents/${old.id}`));
    await expect.poll(() => routing.mock.calls).toHaveLength(5);
    await expect.poll(() => find.mock.calls).toHaveLength(1);
    reject(new QueueFullError('Too many tasks are waiting.'));
    const statuses = (await Promise.all(responses)).map(({ status }) => String(status));
    expect(statuses.toSorted()).toEqual(['200', '200', '200', '200', '503']);
    expect(find).toHaveBeenCalledTimes(2);
  });

  test
    .runIf(runsAll)
    .each([
      '/api/agents',
      '/api/agents?limit=1',
      '/api/search?q=otter',
      '/api/stats',
      '/trpc/stats.get',
      '/feed.xml',
      '/sitemap.xml',
      '/agent/:id/badge.svg',
      '/agent/:id/picture.png',
      '/ard/agents',
    ])(
    'sends 503 for %s while the database takes longer than its limit, and a response afterwards',
    async (pattern) => {
      const path = pattern.replace(':id', old.id);
      const { promise: answers, resolve } = Promise.withResolvers<void>();
      const slow = Object.fromEntries(
        Object.entries(elsewhere).map(([name, method]) => [
          name,
          async (...args: never[]) => {
            await answers;
            return (method as (...args: never[]) => unknown)(...args);
          },
        ]),
      ) as Partial<AgentStore>;
      async function* stream(list?: ListRequest) {
        await answers;
        yield* elsewhere.stream(list);
      }
      const { url } = await start({
        agents: { ...elsewhere, ...slow, stream },
        PUBLIC_URL: 'https://registry.example',
        DATABASE_STATEMENT_TIMEOUT: 100,
      });
      const { status, headers, body } = await send(url + path);
      expect([status, headers['retry-after'], body]).toEqual([503, '5', expect.stringContaining('cannot reach its')]);
      resolve();
      await expect.poll(async () => (await send(url + path)).status).toBe(200);
    },
  );

  test('goes on with a long list after its limit', async () => {
    await elsewhere.load(Array.from({ length: MAX_PAGE_SIZE }, () => makeAgent()));
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    async function* stream(list?: ListRequest) {
      const chunks = elsewhere.stream(list);
      yield (await chunks.next()).value ?? [];
      await isOver;
      yield* chunks;
    }
    const { url } = await start({
      agents: { ...elsewhere, stream, find: () => new Promise(() => {}) },
      CACHE_SIZE: 0,
      DATABASE_STATEMENT_TIMEOUT: 200,
    });
    const response = await fetch(`${url}/api/agents`);
    // A request that began later is over its limit.
    expect((await send(`${url}/api/agents/${old.id}`)).status).toBe(503);
    resolve();
    expect(await response.json()).toHaveLength(MAX_PAGE_SIZE + 1);
  });

  test('does not keep errors', async () => {
    const { url } = app;
    const agent = makeAgent();
    for (const path of [`/api/agents/${agent.id}`, `/agent/${agent.id}`]) {
      const { status, headers } = await send(url + path);
      expect(status).toBe(404);
      expect(headers['cache-control']).toMatch(/^no-store/);
      expect(headers).not.toHaveProperty('etag');
    }
    await elsewhere.load([agent]);
    for (const path of [`/api/agents/${agent.id}`, `/agent/${agent.id}`]) {
      expect((await send(url + path)).status).toBe(200);
    }
  });

  test('evicts the least recently used entry beyond its size', async () => {
    const language = Array.from({ length: 8 }, () =>
      makeAgent({ category: 'language', description: 'Reads and writes. '.repeat(80) }),
    );
    await elsewhere.load(language);
    // Room for four of these responses of 14 kB, none of which is larger than a quarter.
    const { url } = await start({ CACHE_SIZE: 70_000 / MEBIBYTE });
    const [a, b, c, d, e] = [8, 9, 10, 11, 12].map((limit) => `${url}/api/agents/category/language?limit=${limit}`);
    for (const path of [a, b, c, d]) expect(await isHit(path!)).toBe(false);
    expect(await isHit(a!)).toBe(true);
    await send(e!);
    expect(await isHit(a!)).toBe(true);
    expect(await isHit(b!)).toBe(false);
  });

  test('keeps compressed responses without their originals, from which it makes every other encoding', async () => {
    const language = Array.from({ length: 8 }, () =>
      makeAgent({ category: 'language', description: 'Reads and writes. '.repeat(80) }),
    );
    await elsewhere.load(language);
    // Room for four of the originals of 14 kB.
    const { url } = await start({ CACHE_SIZE: 70_000 / MEBIBYTE });
    const paths = [8, 9, 10, 11, 12].map((limit) => `${url}/api/agents/category/language?limit=${limit}`);
    const read = (path = '', encoding = 'gzip') => send(path, { headers: { 'accept-encoding': encoding } });
    const first = [];
    for (const path of paths) first.push(await read(path));
    const calls = agents.calls();
    for (const path of paths) await read(path);
    for (const encoding of ['br', 'identity', 'gzip', 'identity']) {
      const { body, headers } = await read(paths[4], encoding);
      expect(body).toBe(first[4]?.body);
      expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
    }
    expect(agents.calls()).toBe(calls);
  });

  test('sends ETags also when nothing is kept', async () => {
    const { url } = await start({ CACHE_SIZE: 0 });
    const { etag = '' } = (await send(`${url}/api/agents?limit=1`)).headers;
    expect(await isHit(`${url}/api/agents?limit=1`)).toBe(false);
    expect((await send(`${url}/api/agents?limit=1`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('counts hits and 304 of an agent as views, but not HEAD and crawlers', async () => {
    let stored = 0;
    // Other applications write their views into the database meanwhile.
    const viewStore: ViewStore = {
      sum: async () => stored,
      ofAgent: async () => [],
      add: async (counts) => counts.forEach((count) => (stored += count)),
    };
    const { url, views } = await start({ viewStore });
    const path = `${url}/api/agents/${old.id}`;
    const { etag = '' } = (await send(path)).headers;
    await send(path);
    await send(path, { headers: { 'if-none-match': etag } });
    await send(path, { method: 'HEAD' });
    await send(path, { headers: { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' } });
    expect(await views.monthlyViews()).toBe(3);
  });

  test('keeps the headers of one origin and protocol from other requests', async () => {
    const { url } = await start({ CORS_ORIGINS: ['https://app.example'], TRUST_PROXY: 1 });
    const ask = async (headers: Record<string, string>) => (await send(`${url}/api/agents`, { headers })).headers;
    for (let round = 0; round < 2; round += 1) {
      expect(await ask({ origin: 'https://app.example' })).toMatchObject({
        'access-control-allow-origin': 'https://app.example',
        vary: 'Accept-Encoding, Origin',
      });
      expect(await ask({ origin: 'https://other.example' })).toMatchObject({ 'access-control-allow-origin': '*' });
      expect(await ask({ 'x-forwarded-proto': 'https' })).toHaveProperty('strict-transport-security');
      expect(await ask({})).not.toHaveProperty('strict-transport-security');
    }
  });

  test('does not render the home page again because a view was counted', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { url } = app;
      await send(`${url}/`);
      await send(`${url}/api/agents/${old.id}`);
      expect(await isHit(`${url}/`)).toBe(true);
      vi.setSystemTime(Date.now() + 60_000);
      expect(await isHit(`${url}/`)).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('without a database', () => {
  test('files and the OpenAPI document are served, and pages without their data', async () => {
    const app = await startTestApp({
      withSite: true,
      agents: makeFailingStore(new DatabaseUnavailableError('gone')),
    });
    try {
      for (const path of ['/assets/x-abc123.js', '/favicon.svg', '/api/openapi.json', '/']) {
        expect({ path, status: (await send(app.url + path)).status }).toEqual({ path, status: 200 });
      }
      expect((await send(`${app.url}/`)).headers['cache-control']).toBe('no-store, no-transform');
      expect((await send(`${app.url}/api/agents`)).status).toBe(503);
    } finally {
      await app.close();
    }
  });
});

describe.each(engines)('two processes over one database on $name', ({ open }) => {
  test('show each registration once it is acknowledged, and no agent once the other has hidden it', async () => {
    const database = await open();
    const { engine: other } = await openDatabase(database.url);
    const engine = { ...database.engine, serverNamespace: 'example.registry' };
    const app = await startTestApp({ database: { engine }, PUBLIC_URL: 'https://registry.example' });
    onTestFinished(async () => {
      await Promise.all([app.close(), other.close()]);
      await database.remove();
    });
    const read = async (path: string) => JSON.parse((await send(app.url + path)).body) as unknown;
    const paths = ['/api/agents', '/api/search?q=otter', '/api/suggest?q=otter', '/v0.1/servers'];
    /** How often the surfaces name the agents, each read twice, so that the second response is a hit. */
    const count = async () => {
      const bodies = [...paths, ...paths].map(
        async (path) => JSON.stringify(await read(path)).split('"Otter').length - 1,
      );
      const [stats, facets] = await Promise.all(['/api/stats', '/api/facets?capability=swim'].map(read));
      return [...(await Promise.all(bodies)), stats, facets];
    };
    const expected = (agents: number) => [
      ...[...paths, ...paths].map(() => agents),
      expect.objectContaining({ totalAgents: agents }),
      expect.objectContaining({ total: agents }),
    ];
    const connections = [{ kind: 'mcp', transport: 'sse', url: 'https://website.example.com/mcp' }] as const;
    const ids: string[] = [];
    for (const name of ['Otter one', 'Otter two', 'Otter three']) {
      const response = await postJson(
        `${app.url}/api/agents`,
        makeNewAgent({ name, capabilities: ['swim'], connections: [...connections] }),
      );
      expect(response.status).toBe(201);
      ids.push(((await response.json()) as Agent).id);
      expect(await count()).toEqual(expected(ids.length));
    }
    for (const [index, id] of ids.entries()) {
      await createOperatorStore(other).hide({ ids: new Set([id]) }, 'spam');
      expect(await count()).toEqual(expected(ids.length - 1 - index));
    }
  });
});
