import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Agent } from '@agent-registry/contracts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { CHUNK_SIZE, createKyselyAgentStore } from '../../agents/kysely-agent-store.ts';
import { engines, makeAgent, makeNewAgent, type TestDatabase } from '../../testing/engines.ts';
import type { AgentStore } from '../../agents/agent-store.ts';
import { makeFailingStore, send, startTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';

describe.each(engines)('a list of several chunks on $name', ({ open }) => {
  let database: TestDatabase;
  let store: AgentStore;

  beforeEach(async () => {
    database = await open();
    store = createKyselyAgentStore(database.engine);
    const agents = Array.from({ length: 5 * CHUNK_SIZE }, (_, index) =>
      makeAgent({ category: index % 2 ? 'vision' : 'language', name: `Agent "${index}" 🤖` }),
    );
    await store.load(agents);
  });

  afterEach(() => database.remove());

  async function startApp({ agents = store, ...options }: TestAppOptions = {}): Promise<TestApp> {
    const app = await startTestApp({ database, agents, ...options });
    onTestFinished(() => app.close());
    return app;
  }

  test.each([
    ['/api/agents', undefined],
    ['/api/agents/category/vision', 'vision'],
  ] as const)('%s has the bytes of the list as one piece of JSON', async (path, category) => {
    const { url } = await startApp();
    const { status, headers, body } = await send(url + path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-total-count']).toBeUndefined();
    expect(body === JSON.stringify(await store.list(category))).toBe(true);
  });

  test.each(['/api/agents', '/api/agents/category/language'])('%s is what its pages are together', async (path) => {
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

  test('that is not kept is read no further than two chunks of the five for a HEAD, with the headers of GET', async () => {
    let reads = 0;
    const { url } = await startApp({
      cacheSize: 0,
      agents: {
        ...store,
        async *stream() {
          for await (const chunk of store.stream()) {
            reads += 1;
            yield chunk;
          }
        },
      },
    });
    const { status, headers, body } = await send(`${url}/api/agents`, { method: 'HEAD' });
    const { 'transfer-encoding': _, ...expected } = (await send(`${url}/api/agents`)).headers;
    expect({ status, headers, body }).toEqual({
      status: 200,
      headers: { ...expected, date: expect.any(String), 'x-request-id': expect.any(String) },
      body: '',
    });
    expect(reads).toBe(2 + 5);
  });

  test('a registration while it is sent neither breaks it nor doubles an agent', async () => {
    const before = await store.list();
    let chunks = 0;
    const { url } = await startApp({
      agents: {
        ...store,
        async *stream() {
          for await (const chunk of store.stream()) {
            yield chunk;
            chunks += 1;
            await store.register(makeNewAgent({ name: `Between chunks ${chunks}` }));
          }
        },
      },
    });
    expect(await (await fetch(`${url}/api/agents`)).json()).toEqual(before);
    expect(chunks).toBe(5);
    expect(await store.count()).toBe(before.length + chunks);
  });
});

describe('a list that is sent', () => {
  const chunk = Array.from({ length: 100 }, () => makeAgent({ description: 'd'.repeat(2_000) }));
  const chunkSize = JSON.stringify(chunk).length;
  /** What of a store makes a list one to be kept. */
  const versioned: Partial<AgentStore> = {
    version: () => 1,
    changedAt: async () => new Date(),
    countByCategory: async () => ({ chatbot: 0, automation: 0, analytics: 0, creative: 0, vision: 0, language: 0 }),
  };

  test('is no longer read once its caller has left, which is no failure', async () => {
    const log: string[] = [];
    const { promise: stopped, resolve: stop } = Promise.withResolvers<number>();
    const app = await startTestApp({
      agents: {
        ...makeFailingStore(),
        async *stream() {
          let reads = 0;
          try {
            while (reads < 10_000) {
              reads += 1;
              yield chunk;
              await new Promise(setImmediate);
            }
          } finally {
            stop(reads);
          }
        },
      },
      logger: { level: 'error', stream: { write: (line) => void log.push(line) } },
    });
    onTestFinished(() => app.close());
    const sent = request(`${app.url}/api/agents`, { agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response, 'data');
    sent.destroy();
    expect(await stopped).toBeLessThan(10_000);
    expect(log).toEqual([]);
  });

  test.each([
    ['is not kept', 0, {}],
    ['is not kept', 1, {}],
    ['is read to be kept', 1, versioned],
    ['is read to be kept', 3, versioned],
  ])(
    'that %s is 500 and a sentence when reading fails after %i chunks, and one line in the log',
    async (...failure) => {
      const [, chunks, store] = failure;
      const { url, log } = await startWithFailureAfter(chunks, { store });
      const response = await fetch(`${url}/api/agents`);
      expect(response.status).toBe(500);
      expect(await response.text()).toBe('Something went wrong on our side; please try again later.');
      expect(log).toEqual([expect.stringContaining('The disk is gone')]);
    },
  );

  test.each([
    ['is not kept', {}],
    ['is too large to be kept', versioned],
  ])('that %s breaks off when reading fails once it has begun, and one line in the log says why', async (_, store) => {
    const { url, log } = await startWithFailureAfter(3, { store, cacheSize: 4 * chunkSize });
    const response = await fetch(`${url}/api/agents`, { headers: { 'x-request-id': 'trace-0001' } });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(log.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        requestId: 'trace-0001',
        method: 'GET',
        route: '/api/agents',
        err: expect.objectContaining({ message: 'The disk is gone' }),
      }),
    ]);
  });

  async function startWithFailureAfter(
    chunks: number,
    { store, ...options }: TestAppOptions & { store: Partial<AgentStore> },
  ) {
    const log: string[] = [];
    const app = await startTestApp({
      ...options,
      agents: {
        ...makeFailingStore(),
        ...store,
        async *stream() {
          for (let read = 0; read < chunks; read += 1) yield chunk;
          throw new Error('The disk is gone');
        },
      },
      logger: { level: 'error', stream: { write: (line) => void log.push(line) } },
    });
    onTestFinished(() => app.close());
    return { url: app.url, log };
  }
});
