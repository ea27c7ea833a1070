import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Agent } from '@agent-registry/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AgentStore } from '../../agents/agent-store.ts';
import { createKyselyAgentStore } from '../../agents/kysely-agent-store.ts';
import { engines, makeAgent, makeNewAgent, type TestDatabase } from '../../testing/engines.ts';
import { send, startTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';
import { MAX_ADDED } from '../api/full-list.ts';

/** The answers that tell the views, which each process counts for itself at first. */
const TELLING_VIEWS = new Set(['/api/stats', '/']);

/** A store that counts what is read of agents; to read the version is no such reading. */
function countingReads(store: AgentStore): AgentStore & { reads: () => number } {
  let reads = 0;
  const counted = Object.fromEntries(
    Object.entries(store).map(([name, method]) => [
      name,
      (...args: never[]) => {
        if (name !== 'version') reads += 1;
        return (method as (...args: never[]) => unknown)(...args);
      },
    ]),
  ) as AgentStore;
  return { ...counted, reads: () => reads };
}

describe.each(engines)('answers on $name', ({ open }) => {
  let database: TestDatabase;
  /** What another process would change. */
  let elsewhere: AgentStore;
  let agents: ReturnType<typeof countingReads>;
  let old: Agent;
  let apps: TestApp[];

  beforeEach(async () => {
    apps = [];
    database = await open();
    elsewhere = createKyselyAgentStore(database.engine);
    agents = countingReads(elsewhere);
    old = makeAgent({
      category: 'vision',
      description: 'Watches the river. '.repeat(60),
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    await elsewhere.load([old]);
  });

  afterEach(async () => {
    for (const app of apps) await app.close();
    await database.remove();
  });

  async function start(options: TestAppOptions = {}): Promise<TestApp> {
    const app = await startTestApp({ database, agents, withSite: true, ...options });
    apps.push(app);
    return app;
  }

  const paths = () => [
    '/api/agents',
    '/api/agents?limit=1',
    '/api/agents/category/vision',
    `/api/agents/${old.id}`,
    '/api/search?q=river',
    '/api/stats',
    '/',
    `/agent/${old.id}`,
  ];

  test('are kept from the second time on for as long as no agent changes, and the same each time', async () => {
    const { url } = await start();
    // The view that another counts changes them.
    for (const path of paths().toSorted((a, b) => Number(TELLING_VIEWS.has(a)) - Number(TELLING_VIEWS.has(b)))) {
      const [first, second] = [await send(url + path), await send(url + path)];
      const reads = agents.reads();
      const third = await send(url + path);
      const own = { date: expect.any(String), 'x-request-id': expect.any(String) };
      for (const later of [second, third]) {
        expect(later).toEqual({ ...first, headers: { ...first.headers, ...own } });
        expect(later.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
      }
      expect(agents.reads()).toBe(reads);
    }
  });

  test('are whole for who asks for a part, and the same', async () => {
    const { url } = await start();
    for (const path of paths().filter((path) => !TELLING_VIEWS.has(path))) {
      const own = { date: expect.any(String), 'x-request-id': expect.any(String) };
      const whole = await send(url + path);
      const asked = await send(url + path, { headers: { range: 'bytes=0-9' } });
      expect(asked).toEqual({ ...whole, headers: { ...whole.headers, ...own } });
    }
  });

  test('tell at once what another process has changed', async () => {
    const { url } = await start();
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

  test('may be kept by any cache that asks each time, and have a strong ETag and the time of the last change', async () => {
    const { url } = await start();
    const changedAt = await elsewhere.changedAt();
    for (const path of paths()) {
      const { headers } = await send(url + path);
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
      expect(headers.etag).toMatch(/^"[\w.-]+"$/);
      expect(headers.vary).toMatch(/\bAccept-Encoding\b/);
      expect(headers['last-modified']).toBe(changedAt.toUTCString());
    }
  });

  test('are 304 without a body for who has them, though this process has never made them', async () => {
    const { url } = await start();
    for (const path of paths().filter((path) => !TELLING_VIEWS.has(path))) {
      const { etag = '', ...headers } = (await send(url + path)).headers;
      const other = await start();
      const reads = agents.reads();
      for (const [origin, method] of [
        [url, 'GET'],
        [url, 'HEAD'],
        [other.url, 'GET'],
      ]) {
        const match = { 'if-none-match': `W/"x", ${etag}` };
        const answer = await send(origin + path, { method, headers: match });
        expect(answer).toMatchObject({ status: 304, body: '' });
        expect(answer.headers).toMatchObject({
          etag,
          'cache-control': headers['cache-control'],
          'x-content-type-options': 'nosniff',
        });
        expect(answer.headers).not.toHaveProperty('content-type');
      }
      expect(agents.reads()).toBe(reads);
    }
  });

  test('are whole again for who has them from a process with other settings', async () => {
    const { etag = '' } = (await send(`${(await start()).url}/`)).headers;
    const closed = await start({ isRegistrationClosed: true });
    expect((await send(`${closed.url}/`, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test('are whole again for who has an older one', async () => {
    const { url } = await start();
    const { etag = '' } = (await send(`${url}/api/agents`)).headers;
    await elsewhere.register(makeNewAgent());
    expect((await send(`${url}/api/agents`, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('go out as they are until %s is ready, then in it under an ETag of its own', async (encoding, decode) => {
    const { url } = await start();
    const get = () => fetch(`${url}/api/agents`, { headers: { 'accept-encoding': encoding } });
    const plain = await get();
    expect(plain.headers.get('content-encoding')).toBeNull();
    const body = await plain.text();
    const head = () => send(`${url}/api/agents`, { headers: { 'accept-encoding': encoding }, method: 'HEAD' });
    await expect.poll(async () => (await head()).headers['content-encoding']).toBe(encoding);
    const { headers: coded } = await head();
    expect(coded.etag).toBe(plain.headers.get('etag')?.replace(/"$/, `-${encoding}"`));
    expect(await (await get()).text()).toBe(body);
    const raw = await rawBody(`${url}/api/agents`, encoding);
    expect(raw.length).toBe(Number(coded['content-length']));
    expect(decode(raw).toString()).toBe(body);
    for (const match of [coded.etag as string, plain.headers.get('etag') as string]) {
      const { status, headers } = await send(`${url}/api/agents`, { headers: { 'if-none-match': match } });
      expect({ status, etag: headers.etag }).toEqual({ status: 304, etag: match });
    }
  });

  test('whose first caller has left while they were made are made for the next', async () => {
    const begun = Promise.withResolvers<void>();
    let isFirst = true;
    const { url } = await start({
      agents: {
        ...agents,
        find: (id) => {
          if (!isFirst) return agents.find(id);
          isFirst = false;
          begun.resolve();
          return new Promise(() => {});
        },
      },
    });
    const shuttingDown = new AbortController();
    const first = fetch(`${url}/api/agents/${old.id}`, { signal: shuttingDown.signal });
    await begun.promise;
    const second = send(`${url}/api/agents/${old.id}`);
    shuttingDown.abort();
    await expect(first).rejects.toThrow();
    expect((await second).status).toBe(200);
  });

  test('that are large are kept from the first time on', async () => {
    await elsewhere.load(
      Array.from({ length: 20 }, () =>
        makeAgent({ category: 'language', description: 'Reads and writes. '.repeat(80) }),
      ),
    );
    const { url } = await start();
    const path = `${url}/api/agents?limit=20`;
    const { body } = await send(path);
    const reads = agents.reads();
    expect((await send(path)).body).toBe(body);
    expect(agents.reads()).toBe(reads);
  });

  test('that many wait for are made once, and kept', async () => {
    const found = Promise.withResolvers<void>();
    const find = vi.fn<AgentStore['find']>(async (id) => {
      await found.promise;
      return agents.find(id);
    });
    const { url, app } = await start({ agents: { ...agents, find } });
    const routing = vi.spyOn(app, 'routing');
    const ask = () => send(`${url}/api/agents/${old.id}`);
    const answers = [ask(), ask(), ask()];
    await expect.poll(() => routing.mock.calls).toHaveLength(3);
    found.resolve();
    for (const answer of [...answers, ask()]) expect((await answer).status).toBe(200);
    expect(find).toHaveBeenCalledOnce();
  });

  test('that fail are made for all who wait at once', async () => {
    const waiting: (() => void)[] = [];
    const { url } = await start({
      agents: { ...agents, find: () => new Promise((_, reject) => waiting.push(() => reject(new Error('Lost.')))) },
    });
    const ask = () => send(`${url}/api/agents/${old.id}`);
    const answers = [ask(), ask(), ask()];
    await expect.poll(() => waiting).toHaveLength(1);
    waiting.pop()?.();
    await expect.poll(() => waiting).toHaveLength(2);
    for (const fail of waiting) fail();
    for (const answer of answers) expect((await answer).status).toBe(500);
  });

  test('that are errors are not kept', async () => {
    const { url } = await start();
    const agent = makeAgent();
    expect((await send(`${url}/api/agents/${agent.id}`)).headers).toMatchObject({ 'cache-control': 'no-store' });
    expect((await send(`${url}/api/agents/${agent.id}`)).headers).not.toHaveProperty('etag');
    expect((await send(`${url}/agent/${agent.id}`)).headers).toMatchObject({ 'cache-control': 'no-store' });
    await elsewhere.load([agent]);
    expect((await send(`${url}/api/agents/${agent.id}`)).status).toBe(200);
    expect((await send(`${url}/agent/${agent.id}`)).status).toBe(200);
  });

  test('that are over while they are made have no ETag, and are made again', async () => {
    let isLate = true;
    const { url } = await start({
      agents: {
        ...agents,
        find: async (id) => {
          const agent = await agents.find(id);
          if (isLate) await elsewhere.register(makeNewAgent());
          return agent;
        },
      },
    });
    expect((await send(`${url}/api/agents/${old.id}`)).headers).not.toHaveProperty('etag');
    isLate = false;
    expect((await send(`${url}/api/agents/${old.id}`)).headers).toHaveProperty('etag');
  });

  test('are not kept beyond the size that is set, least recently used out first', async () => {
    await elsewhere.load(
      Array.from({ length: 8 }, () =>
        makeAgent({ category: 'language', description: 'Reads and writes. '.repeat(80) }),
      ),
    );
    // Three of these answers, which count twice as the texts that they also are.
    const { url } = await start({ cacheSize: 100_000 });
    const isKept = async (path: string) => {
      const reads = agents.reads();
      await send(url + path);
      return agents.reads() === reads;
    };
    const [a, b, c, d] = [8, 9, 10, 11].map((limit) => `/api/agents/category/language?limit=${limit}`) as [
      string,
      string,
      string,
      string,
    ];
    for (const path of [a, a, b, b]) expect(await isKept(path)).toBe(false);
    expect(await isKept(a)).toBe(true);
    for (const path of [c, c, d, d]) await send(url + path);
    expect(await isKept(a)).toBe(true);
    expect(await isKept(b)).toBe(false);
  });

  test('have ETags also where none is kept', async () => {
    const { url } = await start({ cacheSize: 0 });
    const { etag = '' } = (await send(`${url}/api/stats`)).headers;
    expect((await send(`${url}/api/stats`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('are charged to the budget of reading', async () => {
    const { url } = await start({ limits: { read: 2 } });
    const statuses: number[] = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await send(`${url}/api/stats`)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('of one agent count as views, but for crawlers', async () => {
    const { url, views } = await start();
    const path = `${url}/api/agents/${old.id}`;
    const { etag = '' } = (await send(path)).headers;
    await send(path);
    await send(path, { headers: { 'if-none-match': etag } });
    await send(path, { method: 'HEAD' });
    await send(path, { headers: { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' } });
    expect(await views.monthlyViews()).toBe(3);
  });

  test('have the headers of the origin and of the protocol that asks, and of no other', async () => {
    const { url } = await start({ corsOrigins: ['https://app.example'], trustProxy: 1 });
    const ask = async (headers: Record<string, string>) => (await send(`${url}/api/stats`, { headers })).headers;
    for (let round = 0; round < 2; round += 1) {
      expect(await ask({ origin: 'https://app.example' })).toMatchObject({
        'access-control-allow-origin': 'https://app.example',
        vary: 'Origin, Accept-Encoding',
      });
      expect(await ask({ origin: 'https://other.example' })).toMatchObject({ 'access-control-allow-origin': '*' });
      expect(await ask({ 'x-forwarded-proto': 'https' })).toHaveProperty('strict-transport-security');
      expect(await ask({})).not.toHaveProperty('strict-transport-security');
    }
  });

  test('are those for the address that a trusted proxy names, and nobody else', async () => {
    const { url } = await start({ trustProxy: ['192.0.2.0/24'] });
    for (let round = 0; round < 2; round += 1) {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'elsewhere.example' };
      expect((await send(`${url}/api/stats`, { headers })).headers).not.toHaveProperty('strict-transport-security');
      expect((await send(`${url}/sitemap.xml`, { headers })).body).not.toContain('elsewhere.example');
    }
  });

  test('are given before the application sees the request', async () => {
    const { url, app } = await start();
    const routing = vi.spyOn(app, 'routing');
    const bodies = new Set<string>();
    for (let round = 0; round < 4; round += 1) bodies.add((await send(`${url}/api/stats`)).body);
    expect(bodies.size).toBe(1);
    expect(routing).toHaveBeenCalledTimes(2);
  });

  describe('with a whole list', () => {
    let streams: number;

    const startCounting = () => {
      streams = 0;
      return start({
        agents: {
          ...agents,
          stream: (category) => {
            streams += 1;
            return agents.stream(category);
          },
        },
      });
    };

    test.each([
      ['/api/agents', undefined],
      ['/api/agents/category/vision', 'vision'],
      ['/api/agents/category/language', 'language'],
    ] as const)('%s is not read again for what is registered', async (path, category) => {
      const { url } = await startCounting();
      for (const added of [0, 1, 3]) {
        for (let count = 0; count < added; count += 1) {
          await elsewhere.register(
            makeNewAgent({ category: count % 2 ? 'language' : 'vision', name: `Agent "${count}" 🤖` }),
          );
        }
        expect((await send(url + path)).body).toBe(JSON.stringify(await elsewhere.list(category)));
      }
      expect(streams).toBe(1);
    });

    test.each<[string, () => Promise<unknown>]>([
      ['an older agent was added', () => elsewhere.load([makeAgent({ createdAt: '2020-01-01T00:00:00.000Z' })])],
      ['an agent has gone', () => database.engine.db.deleteFrom('agents').where('id', '=', old.id).execute()],
      [
        'one has gone and one has come',
        async () => {
          await database.engine.db.deleteFrom('agents').where('id', '=', old.id).execute();
          await elsewhere.register(makeNewAgent());
        },
      ],
      ['an agent was changed', () => database.engine.db.updateTable('agents').set({ name: 'Heron' }).execute()],
      [
        'more came than are put before it',
        () =>
          elsewhere.load(
            Array.from({ length: MAX_ADDED + 1 }, () => makeAgent({ createdAt: '2026-02-01T00:00:00.000Z' })),
          ),
      ],
    ])('is read again when %s', async (_what, change) => {
      const { url } = await startCounting();
      await send(`${url}/api/agents`);
      await change();
      expect((await send(`${url}/api/agents`)).body).toBe(JSON.stringify(await elsewhere.list()));
      expect(streams).toBe(2);
    });
  });

  test('with a file of the build are ready, in parts where asked for', async () => {
    const { url } = await start();
    const { headers, body } = await send(`${url}/assets/x-abc123.js`);
    expect(await send(`${url}/assets/x-abc123.js`)).toMatchObject({ status: 200, body });
    expect(
      await send(`${url}/assets/x-abc123.js`, { headers: { 'if-none-match': headers.etag as string } }),
    ).toMatchObject({
      status: 304,
    });
    expect(await send(`${url}/assets/x-abc123.js`, { headers: { range: 'bytes=0-5' } })).toMatchObject({
      status: 206,
      body: body.slice(0, 6),
    });
  });
});

async function rawBody(url: string, encoding: string): Promise<Buffer> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': encoding }, agent: false }, async (response) => {
      resolve(Buffer.concat(await response.toArray()));
    })
      .on('error', reject)
      .end();
  });
}
