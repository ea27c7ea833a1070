import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { TRPCError } from '@trpc/server';
import fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseUnavailableError } from '../database-error.ts';
import { createAgentStore } from '../stores.ts';
import { engines } from '../testing/engines.ts';
import { logOptions } from './logger.ts';
import {
  makeFailingStore,
  postJson,
  send,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from '../testing/test-app.ts';

type Line = {
  level: number;
  time: number;
  msg: string;
  requestId?: string;
  method?: string;
  route?: string;
  status?: number;
  responseTime?: number;
  err?: { message: string; stack: string };
  cause?: string;
  repeats?: number;
};

let app: TestApp;
let lines: string[];

async function start(level: string, options: TestAppOptions = {}) {
  lines = [];
  const stream = { write: (line: string) => void lines.push(line) };
  app = await startTestApp({ withSite: true, logger: { ...logOptions(level), stream }, ...options });
}

afterEach(() => app.close());

const readLog = () => lines.map((line) => JSON.parse(line) as Line);

/** The lines of one request, once there are any. */
async function linesOf(requestId: string | null | undefined): Promise<Line[]> {
  const find = () => readLog().filter((line) => line.requestId === requestId);
  await expect.poll(() => find().length).toBeGreaterThan(0);
  return find();
}

test('the logged response time of a cache hit includes reading the version', async () => {
  const database = await engines[0].open();
  onTestFinished(() => database.remove());
  const store = createAgentStore(database.engine);
  const delay = 100;
  await start('debug', { database, agents: { ...store, version: () => wait(delay).then(() => store.version()) } });
  const address = `${app.url}/api/search?q=otter`;
  await send(address);
  await send(address);
  const requestId = randomUUID();
  await send(address, { headers: { 'x-request-id': requestId } });
  const [line] = await linesOf(requestId);
  // A timer may be a millisecond early.
  expect(line?.responseTime).toBeGreaterThanOrEqual(delay - 2);
});

describe('the log of a request', () => {
  beforeEach(() => start('debug'));

  test.each([
    ['GET', '/api/search?q=otter', '/api/search', 200],
    ['GET', `/api/agents/${randomUUID()}?x=1`, '/api/agents/:id', 404],
    ['HEAD', '/agent/somebody', '/agent/:id', 404],
    ['GET', '/wp-login.php', '/*', 404],
    ['DELETE', '/api/agents', '/api/*', 405],
  ])('is one JSON line with the route pattern: %s %s is %s', async (method, path, route, status) => {
    const id = (await send(app.url + path, { method })).headers['x-request-id'];
    expect(await linesOf(id as string)).toEqual([
      expect.objectContaining({ method, route, status, responseTime: expect.any(Number), time: expect.any(Number) }),
    ]);
  });

  test('is the same for a cache hit', async () => {
    for (const method of ['GET', 'HEAD']) {
      for (const requestId of [randomUUID(), randomUUID()]) {
        await send(`${app.url}/api/search?q=otter`, { method, headers: { 'x-request-id': requestId } });
        expect(await linesOf(requestId)).toEqual([
          expect.objectContaining({ method, route: '/api/search', status: 200, responseTime: expect.any(Number) }),
        ]);
      }
    }
  });

  test('contains no text of the client and no mail address', async () => {
    const agent = makeNewAgent({ name: 'Marmot Mail', contactEmail: 'owner@marmot.example.com' });
    await postJson(`${app.url}/api/agents`, agent);
    await postJson(`${app.url}/api/agents`, { ...agent, name: '', 'spy@marmot.example.com': 1 });
    for (const path of ['/api/search?q=', '/agent/', '/', '/?keep=', '/api/', '/trpc/', '/%zz?'])
      for (const address of ['owner@marmot.example.com', 'owner%40marmot.example.com'])
        await send(app.url, { path: path + address, headers: { 'x-request-id': address, referer: address } });
    await expect.poll(() => lines.length).toBeGreaterThanOrEqual(15);
    expect(lines.join('')).not.toMatch(/marmot|owner/i);
  });

  test('has the request id of the client', async () => {
    await send(`${app.url}/api/stats`, { headers: { 'x-request-id': 'trace-0001' } });
    expect(await linesOf('trace-0001')).toHaveLength(1);
  });
});

test('with level info, reads are not logged and other methods are', async () => {
  await start('info');
  await send(`${app.url}/api/agents`);
  const response = await postJson(`${app.url}/api/agents`, makeNewAgent());
  const [line] = await linesOf(response.headers.get('x-request-id'));
  expect(line).toMatchObject({ method: 'POST', route: '/api/agents', status: 201 });
  expect(readLog().filter(({ requestId }) => requestId !== undefined)).toHaveLength(1);
});

test('a cause is logged once, and then its repeats are counted, whichever requests and jobs meet it', async () => {
  await start('info');
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  lines = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const { log } = fastify({ logger: { ...logOptions('info'), stream } });
  const meet = (message: string, times: number) => {
    for (let count = 0; count < times; count += 1) {
      const cause = new DatabaseUnavailableError(message);
      log.error(cause);
      log.child({ requestId: String(count) }).error({ err: cause, route: '/' }, 'A request failed.');
      log.child({}).error({ err: new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause }) }, 'A request failed.');
    }
  };
  meet('It is away', 100);
  meet('It is full', 1);
  const levels = () => readLog().map(({ level, err, cause, repeats }) => [level, err?.message ?? cause, repeats]);
  const first = [
    [50, 'It is away', undefined],
    [50, 'It is full', undefined],
  ];
  expect(levels()).toEqual(first);
  vi.advanceTimersByTime(60_000);
  const counted = [...first, [50, 'It is away', 299], [50, 'It is full', 2]];
  expect(levels()).toEqual(counted);
  vi.advanceTimersByTime(60_000);
  expect([levels(), vi.getTimerCount()]).toEqual([counted, 0]);
  meet('It is away', 1);
  expect(levels()).toEqual([...counted, [50, 'It is away', undefined]]);
  // A bug is looked for by the id of the request.
  for (const requestId of ['a', 'b']) log.child({ requestId }).error({ err: new TypeError('x') }, 'A request failed.');
  expect(readLog().slice(-2)).toMatchObject([{ requestId: 'a' }, { requestId: 'b' }]);
});

describe('an unexpected exception', () => {
  const SECRET = [
    "Failing row contains (7, Marmot, owner@marmot.example.com, o'neil+x@marmot.example.com",
    'team&co@marmot.example.com, info@marmot.example.com.xn--p1ai, A\u202E\u009B\u{E0041}\uFFFE)',
  ].join(', ');

  test.each([
    ['over REST', 500, '/api/agents', '/api/agents'],
    ['over the tRPC protocol', 500, '/trpc/agents.list', '/trpc/:path'],
    // The page is sent without its data, which the browser then requests.
    ['behind a page', 200, `/agent/${randomUUID()}`, '/agent/:id'],
  ])('%s is %i with a request id, and is logged once with the id and its stack', async (_way, status, path, route) => {
    await start('info', { agents: makeFailingStore(new Error(SECRET)) });
    const response = await fetch(app.url + path);
    expect(response.status).toBe(status);
    const [line, ...rest] = await linesOf(response.headers.get('x-request-id'));
    expect(rest).toEqual([]);
    expect(line).toMatchObject({ level: 50, method: 'GET', route });
    expect(line?.err?.stack).toContain('Failing row contains');
    expect(line?.err?.stack).toContain('logger.test.ts');
    expect(lines.join('')).not.toMatch(/marmot\.example\.com|xn--p1ai|[\u202E\u009B\u{E0041}\uFFFE]/u);
  });
});
