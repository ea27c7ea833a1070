import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { MAX_PAGE_SIZE, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { MEBIBYTE } from '../../config.ts';
import { createAgentStore, type AgentStore } from '../../stores.ts';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { makeFailingStore, send, startTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';

describe.each(surfaceEngines)('a list of several pages on $name', ({ open }) => {
  let database: TestDatabase;
  let store: AgentStore;

  beforeAll(async () => {
    database = await open();
    store = createAgentStore(database.engine);
    const agents = Array.from({ length: 5 * MAX_PAGE_SIZE }, (_, index) =>
      makeAgent({ category: index % 2 ? 'vision' : 'language', name: `Agent "${index}" 🤖` }),
    );
    await store.load(agents);
  });

  afterAll(() => database.remove());

  async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
    const app = await startTestApp({ database, agents: store, ...options });
    onTestFinished(() => app.close());
    return app;
  }

  test.each([
    ['/api/agents', undefined],
    ['/api/agents/category/vision', 'vision'],
  ] as const)('%s is one JSON array of the full list, without the headers of a page', async (path, category) => {
    const { url } = await startApp();
    const { status, headers, body } = await send(url + path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-total-count']).toBeUndefined();
    expect(headers.link).toBeUndefined();
    expect(body === JSON.stringify(await store.list({ category }))).toBe(true);
  });

  test.each(['/api/agents', '/api/agents/category/language'])('%s has the same agents as its pages', async (path) => {
    const { url } = await startApp();
    const pages: Agent[] = [];
    let next: string | undefined = `${path}?limit=150`;
    while (next) {
      const response = await fetch(url + next);
      pages.push(...((await response.json()) as Agent[]));
      next = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(await (await fetch(url + path)).json()).toEqual(pages);
  });

  test('the event loop turns between two chunks, so that other requests are answered', async () => {
    let turn = 0;
    const count = setInterval(() => (turn += 1));
    onTestFinished(() => clearInterval(count));
    const turns: number[] = [];
    const stream: AgentStore['stream'] = async function* stream(list) {
      for await (const chunk of store.stream(list)) {
        turns.push(turn);
        // Long enough for a timer to be due.
        const end = performance.now() + 5;
        while (performance.now() < end);
        yield chunk;
      }
    };
    const { url } = await startApp({ agents: { ...store, stream }, CACHE_SIZE: 0 });
    await send(`${url}/api/agents`);
    expect(turns.length).toBeGreaterThan(5);
    // Of the chunks that are read together, the first one arrives after the timers of its turn.
    for (const own of new Set(turns)) expect(turns.filter((other) => other === own).length).toBeLessThanOrEqual(2);
  });

  test('HEAD has the headers of GET, also for a list too large for the cache', async () => {
    for (const CACHE_SIZE of [0, 16]) {
      const { url } = await startApp({ CACHE_SIZE });
      const { status, headers, body } = await send(`${url}/api/agents`, { method: 'HEAD' });
      const { 'transfer-encoding': _, ...expected } = (await send(`${url}/api/agents`)).headers;
      expect({ status, headers, body }).toEqual({
        status: 200,
        headers: { ...expected, date: expect.any(String), 'x-request-id': expect.any(String) },
        body: '',
      });
    }
  });

  test('a client gets one list too large for the cache at a time, and other clients theirs', async () => {
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    const { url } = await startApp({
      CACHE_SIZE: 1_000 / MEBIBYTE,
      DATABASE_STATEMENT_TIMEOUT: 1_000,
      agents: {
        ...store,
        async *stream(list) {
          yield* store.stream(list);
          await isOver;
        },
      },
    });
    const whole = JSON.stringify(await store.list());
    const first = request(`${url}/api/agents`, { agent: false }).end();
    const [response] = (await once(first, 'response')) as [IncomingMessage];
    const refused = await send(`${url}/api/agents/category/vision`);
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      429,
      '10',
      'Your address already receives a full list. Ask again when it has ended, or for pages with limit.',
    ]);
    expect((await send(`${url}/api/agents?limit=1`)).status).toBe(200);
    const other = send(`${url}/api/agents`, { localAddress: '127.0.0.2' });
    resolve();
    expect((await other).body === whole).toBe(true);
    expect((await text(response)) === whole).toBe(true);
    await expect.poll(async () => (await send(`${url}/api/agents`)).status).toBe(200);
  });

  test('a list too large for the cache has the version as its ETag', async () => {
    const { url } = await startApp({ CACHE_SIZE: 1_000 / MEBIBYTE });
    const read = async (path: string, etag = '') => {
      const { status, headers } = await send(url + path, { headers: { 'if-none-match': etag } });
      return { status, etag: headers.etag };
    };
    for (const path of ['/api/agents', '/api/search?q=agent']) {
      const { etag } = await read(path);
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
      expect(await read(path, etag)).toEqual({ status: 304, etag });
      await store.register(makeNewAgent({ name: 'Agent' }));
      expect(await read(path, etag)).toEqual({ status: 200, etag: expect.not.stringMatching(etag as string) });
    }
  });

  test('an agent that is hidden while a list too large for the cache is read is left out', async () => {
    const hidden = (await store.list())[0] as Agent;
    const operator = createOperatorStore(database.engine);
    let chunks = 0;
    const { url } = await startApp({
      CACHE_SIZE: 200_000 / MEBIBYTE,
      agents: {
        ...store,
        async *stream(list) {
          for await (const chunk of store.stream(list)) {
            yield chunk;
            chunks += 1;
            // After the first chunk was read, and before the list was too large.
            if (chunks === 2) await operator.hide({ ids: new Set([hidden.id]) }, 'test');
          }
        },
      },
    });
    const ids = ((await (await fetch(`${url}/api/agents`)).json()) as Agent[]).map(({ id }) => id);
    await operator.unhide({ ids: new Set([hidden.id]) });
    expect(ids).not.toContain(hidden.id);
    expect(ids).toHaveLength((await store.count()) - 1);
  });

  test('a registration while the list is sent neither breaks it nor doubles an agent', async () => {
    const before = await store.list();
    let chunks = 0;
    const { url } = await startApp({
      CACHE_SIZE: 0,
      agents: {
        ...store,
        async *stream(list) {
          for await (const chunk of store.stream(list)) {
            chunks += 1;
            await store.register(makeNewAgent({ name: `After chunk ${chunks}` }));
            yield chunk;
          }
        },
      },
    });
    expect(await (await fetch(`${url}/api/agents`)).json()).toEqual(before);
    expect(await store.count()).toBe(before.length + chunks);
  });

  test('the list goes on where the last agent of a chunk was withdrawn meanwhile', async () => {
    const before = await store.list();
    const operator = createOperatorStore(database.engine);
    const { url } = await startApp({
      CACHE_SIZE: 0,
      agents: {
        ...store,
        async *stream(list) {
          for await (const chunk of store.stream(list)) {
            await operator.withdraw({ ids: new Set([chunk.at(-1)?.id ?? '']) });
            yield chunk;
          }
        },
      },
    });
    expect(await (await fetch(`${url}/api/agents`)).json()).toEqual(before);
  });
});

describe('streaming the full list', () => {
  const agents = Array.from({ length: MAX_PAGE_SIZE }, () => makeAgent({ description: 'd'.repeat(2_000) }));
  const pageSize = JSON.stringify(agents).length;

  async function start(stream: AgentStore['stream'], cacheSize: number) {
    const log: string[] = [];
    const app = await startTestApp({
      agents: { ...makeFailingStore(), version: () => '1', stream },
      CACHE_SIZE: cacheSize / MEBIBYTE,
      logger: { level: 'error', stream: { write: (line) => void log.push(line) } },
    });
    onTestFinished(() => app.close());
    return { url: app.url, log };
  }

  const failAfter = (chunks: number) =>
    async function* stream() {
      for (let chunk = 0; chunk < chunks; chunk += 1) yield agents;
      throw new Error('The disk is gone');
    };

  test('reading stops without an error once the client disconnects', async () => {
    let reads = 0;
    const { url, log } = await start(async function* stream() {
      for (; reads < 10_000; reads += 1) {
        await new Promise(setImmediate);
        yield agents;
      }
    }, 0);
    const sent = request(`${url}/api/agents`, { agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    await once(response, 'data');
    sent.destroy();
    // Reading has stopped once two polls see the same count.
    let before = -1;
    await expect
      .poll(() => {
        const hasStopped = before === reads;
        before = reads;
        return hasStopped;
      })
      .toBe(true);
    expect(log).toEqual([]);
  });

  test.each([0, 1, 3])(
    'an error after %i buffered chunks is 500 with a sentence, and one line in the log',
    async (n) => {
      const { url, log } = await start(failAfter(n), 100 * pageSize);
      const response = await fetch(`${url}/api/agents`);
      expect(response.status).toBe(500);
      expect(await response.text()).toBe('Something went wrong on our side; please try again later.');
      expect(log).toEqual([expect.stringContaining('The disk is gone')]);
    },
  );

  test('an error after the first bytes aborts the response, and one line in the log has the reason', async () => {
    const { url, log } = await start(failAfter(3), 4 * pageSize);
    const response = await fetch(`${url}/api/agents`, { headers: { 'x-request-id': 'trace-0001' } });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(log.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        requestId: 'trace-0001',
        method: 'GET',
        route: '/api/agents',
        err: expect.objectContaining({ message: expect.stringContaining('The disk is gone') }),
      }),
    ]);
  });
});
