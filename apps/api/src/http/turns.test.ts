import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { MAX_WAITING_PER_CLIENT } from '../rate-limit/task-queue.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { startTestApp } from '../testing/test-app.ts';
import { TaskEndedError } from '../worker-pool.ts';

type Client = 'one' | 'other';
const addresses: Record<Client, string> = { one: '192.0.2.1', other: '192.0.2.2' };
const agent = makeAgent({ name: 'Otter' });
let database: TestDatabase;

beforeAll(async () => {
  database = await engines[0].open();
  await createAgentStore(database.engine).load([agent]);
});

afterAll(() => database.remove());

/** Starts an application with one agent, whose pages are rendered once `finishRenderings` is called. */
async function start(override: (store: AgentStore) => Partial<AgentStore> = () => ({})) {
  const store = createAgentStore(database.engine);
  const agents = { ...store, ...override(store) };
  const rendering = Promise.withResolvers<void>();
  const rendered: string[] = [];
  const app = await startTestApp({
    database,
    agents,
    withSite: true,
    TRUST_PROXY: ['loopback'],
    async renderMarkup({ state }) {
      rendered.push((JSON.parse(state as string) as { url: string }).url);
      await rendering.promise;
      return state as string;
    },
  });
  onTestFinished(async () => {
    rendering.resolve();
    await app.close();
  });
  return {
    url: app.url,
    rendered,
    finishRenderings: rendering.resolve,
    get: (client: Client, path: string) =>
      fetch(app.url + path, { headers: { 'x-forwarded-for': addresses[client], accept: 'text/plain' } }),
  };
}

const statusesOf = async (responses: readonly Promise<Response>[]) =>
  (await Promise.all(responses)).map(({ status }) => status);

test('a client that requests more pages than may wait gets 503, and another client takes turns with it', async () => {
  const { get, rendered, finishRenderings } = await start();
  const flood = async (client: Client, amount: number) => {
    const responses = Array.from({ length: amount }, (_, index) => get(client, `/?q=${client}${index}`));
    // Only a refusal is sent while a page is being rendered.
    const refused = await Promise.race(responses);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await refused.text()).toMatch(/^The registry has too much to do/);
    return responses;
  };
  const ofOne = await flood('one', 1 + MAX_WAITING_PER_CLIENT + 1);
  const ofOther = await flood('other', MAX_WAITING_PER_CLIENT + 1);

  finishRenderings();
  const statuses = await statusesOf([...ofOne, ...ofOther]);
  expect(statuses.filter((status) => status === 503)).toHaveLength(2);
  const order = rendered.map((url) => /one|other/.exec(url)?.[0]);
  expect(order.slice(0, 7)).toEqual(['one', 'one', 'other', 'one', 'other', 'one', 'other']);
});

test('a page that two clients request is rendered for one when it is refused to the other', async () => {
  const opened = Promise.withResolvers<void>();
  let [finds, versions] = [0, 0];
  const { get, finishRenderings } = await start((store) => ({
    find: async (id) => {
      finds += 1;
      await opened.promise;
      return store.find(id);
    },
    versionsOf: (ids) => {
      versions += 1;
      return store.versionsOf(ids);
    },
  }));
  const refused = get('one', `/agent/${agent.id}`);
  await expect.poll(() => finds).toBe(1);
  const sharing = get('other', `/agent/${agent.id}`);
  await expect.poll(() => versions).toBe(2);
  const pages = Array.from({ length: 1 + MAX_WAITING_PER_CLIENT + 1 }, (_, index) => get('one', `/?q=${index}`));
  expect((await Promise.race(pages)).status).toBe(503);
  expect(finds).toBe(1);

  opened.resolve();
  expect((await refused).status).toBe(503);
  finishRenderings();
  expect((await sharing).status).toBe(200);
  await Promise.all(pages);
});

test('a client that searches more than may wait gets 503 over REST and tRPC, and another client does not', async () => {
  const searching = Promise.withResolvers<void>();
  let running = 0;
  const { get } = await start((store) => ({
    search: async (search) => {
      running += 1;
      await searching.promise;
      return store.search(search);
    },
  }));
  const toPath = (text: string) => `/api/search?q=${text}&limit=2`;
  const responses = Array.from({ length: 100 }, (_, index) => get('one', toPath(`otter${index}`)));
  const refused = await Promise.race(responses);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('2');
  const overTrpc = await get('one', `/trpc/agents.search?input=${encodeURIComponent('{"q":"otter"}')}`);
  expect(overTrpc.status).toBe(503);
  expect(overTrpc.headers.get('retry-after')).toBe('2');
  expect((await get('one', '/api/facets?q=otter')).status).toBe(503);
  expect(running).toBeLessThan(10);

  const other = get('other', toPath('otter'));
  searching.resolve();
  expect((await other).status).toBe(200);
  expect(await statusesOf(responses)).toContain(200);
});

describe.each<[string, (q: string) => string]>([
  ['search', (q: string) => `/api/search?q=${q}&limit=2`],
  ['page', (q: string) => `/?q=${q}`],
])('a %s whose connection was reset', (_kind, toPath) => {
  test('does not run when its turn comes, is no error, and runs for a client that waits for it', async () => {
    const log: string[] = [];
    const blocked = Promise.withResolvers<void>();
    const searched: string[] = [];
    const store = createAgentStore(database.engine);
    const app = await startTestApp({
      database,
      withSite: true,
      logger: { level: 'error', stream: { write: (line: string) => void log.push(line) } },
      agents: {
        ...store,
        async search(request) {
          searched.push(request.text);
          await blocked.promise;
          return store.search(request);
        },
      },
    });
    onTestFinished(() => app.close());
    const [arrived, closed]: [string[], string[]] = [[], []];
    app.app.server.on('request', (request: IncomingMessage) => {
      arrived.push(request.url ?? '');
      request.once('close', () => closed.push(request.url ?? ''));
    });
    const get = (q: string) => fetch(app.url + toPath(q));
    const running = ['a', 'b', 'c', 'd'].map(get);
    await expect.poll(() => searched).toHaveLength(4);
    const left = ['left', 'shared'].map((q) => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
      socket.write(`GET ${toPath(q)} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return socket;
    });
    await expect.poll(() => arrived).toHaveLength(6);
    const stays = get('shared');
    await expect.poll(() => arrived).toHaveLength(7);
    for (const socket of left) socket.resetAndDestroy();
    await expect.poll(() => closed.toSorted()).toEqual([toPath('left'), toPath('shared')]);
    blocked.resolve();
    for (const response of [...running, stays]) expect((await response).status).toBe(200);
    expect(searched.toSorted()).toEqual(['a', 'b', 'c', 'd', 'shared']);
    expect(log).toEqual([]);
  });
});

test('the event loop turns between the calls of a tRPC batch', async () => {
  let turns = 0;
  const seen: number[] = [];
  const { get } = await start((store) => ({
    find: (id) => {
      seen.push(turns);
      return store.find(id);
    },
  }));
  const isOver = new AbortController();
  const counting = (async () => {
    for (; !isOver.signal.aborted; turns += 1) await setImmediate();
  })();
  const input = JSON.stringify(Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index, { id: agent.id }])));
  const paths = Array<string>(10).fill('agents.get');
  const response = await get('one', `/trpc/${paths.join(',')}?batch=1&input=${encodeURIComponent(input)}`);
  isOver.abort();
  await counting;
  expect(await response.json()).toEqual(paths.map(() => ({ result: { data: agent } })));
  expect(new Set(seen).size).toBe(10);
});

test('a client whose page was ended gets 503 for its pages, with the time to come back, and another client its pages', async () => {
  const app = await startTestApp({
    database,
    withSite: true,
    TRUST_PROXY: ['loopback'],
    async renderMarkup({ state }) {
      if ((state as string).includes('endless')) throw new TaskEndedError('A worker thread took more than 2000 ms');
      return state as string;
    },
  });
  onTestFinished(() => app.close());
  const get = (client: Client, path: string) =>
    fetch(app.url + path, { headers: { 'x-forwarded-for': addresses[client] } });
  const statuses = async (client: Client, path: string) => (await get(client, path)).status;
  expect(await statuses('one', '/?q=first')).toBe(200);
  expect(await statuses('one', '/?q=endless')).toBe(503);
  const paused = await get('one', '/?q=second');
  expect([paused.status, paused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await statuses('other', '/?q=second')).toBe(200);
  expect(await statuses('one', `/api/agents/${agent.id}`)).toBe(200);
});
