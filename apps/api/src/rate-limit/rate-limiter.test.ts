import { randomUUID } from 'node:crypto';
import { createManagementKey, MANAGEMENT_KEY_HEADER, REGISTRATION_CLOSED, type Agent } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultConfig } from '../config.ts';
import { defaultServerOptions } from '../server-options.ts';
import { openDatabase } from '../db/open-database.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import {
  postJson,
  send,
  startTestApp,
  type RawRequest,
  type TestApp,
  type TestAppOptions,
} from '../testing/test-app.ts';
import { createRateLimitStore } from './rate-limit-store.ts';
import { createMemoryRateLimitStore, createRateLimiter } from './rate-limiter.ts';

let databases: Record<(typeof engines)[number]['name'], TestDatabase>;
let database: TestDatabase;
let apps: TestApp[];

beforeAll(async () => {
  const [sqlite, postgres] = engines;
  databases = { sqlite: await sqlite.open(), postgres: await postgres.open() };
});

beforeEach(async () => {
  apps = [];
  database = databases.sqlite;
  for (const each of Object.values(databases)) await each.empty();
});

afterEach(async () => {
  for (const app of apps) await app.close();
});

afterAll(async () => {
  for (const each of Object.values(databases)) await each.remove();
});

async function start(options: TestAppOptions): Promise<TestApp> {
  const app = await startTestApp({ database, ...options });
  apps.push(app);
  return app;
}

const register = (app: TestApp, headers?: Record<string, string>) =>
  postJson(`${app.url}/api/agents`, makeNewAgent(), headers);
const statuses = (responses: readonly { status: number }[]) => responses.map(({ status }) => status);

describe.each(engines)('rate limits of registrations on $name', ({ name }) => {
  beforeEach(() => {
    database = databases[name];
  });

  test('bound the bytes that a client sends within a day, over all processes, protocols and kinds of writes', async () => {
    const config = { writeBytesPerDay: 10_000, REGISTER_LIMIT: 1_000, TRUST_PROXY: 1 };
    const [app, other] = [await start(config), await start(config)];
    const key = createManagementKey();
    const authorization = `Bearer ${key}`;
    const headers = { [MANAGEMENT_KEY_HEADER]: key, authorization, 'x-forwarded-for': '2001:db8::1' };
    const agent = makeNewAgent({ description: '𝄞'.repeat(500) });
    const first = await postJson(`${app.url}/api/agents`, agent, headers);
    expect(first.status).toBe(201);
    const used = Buffer.byteLength(JSON.stringify(agent));
    expect(first.headers.get('ratelimit-policy')).toContain('"write-bytes";q=10000;qu="content-bytes";w=86400');
    expect(first.headers.get('ratelimit')).toContain(`"write-bytes";r=${10_000 - used};t=86400`);
    const { id } = (await first.json()) as Agent;
    const report = await postJson(`${other.url}/api/agents/${id}/reports`, { reason: 'spam', text: null }, headers);
    expect(report.status).toBe(201);
    const edit = (each: TestApp, fields: object) =>
      fetch(`${each.url}/api/agents/${id}`, {
        method: 'PATCH',
        body: JSON.stringify(fields),
        headers: { ...headers, 'content-type': 'application/merge-patch+json' },
      });
    expect((await edit(other, agent)).status).toBe(200);
    expect((await postJson(`${app.url}/trpc/agents.register`, agent, headers)).status).toBe(200);
    expect((await edit(other, agent)).status).toBe(200);
    const refused = await edit(app, agent);
    expect(refused.status).toBe(429);
    expect(await refused.text()).toBe(
      'Your address has sent more than 10000 bytes of registrations, changes and reports within a day. Try again in 24 hours.',
    );
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    for (const url of ['/api/agents', '/trpc/agents.register?batch=1']) {
      expect((await postJson(other.url + url, url.includes('batch') ? { 0: agent } : agent, headers)).status).toBe(429);
    }
    // Without a body nothing is stored, and others have bytes of their own.
    expect((await fetch(`${app.url}/api/agents/${id}`, { method: 'DELETE', headers })).status).toBe(200);
    expect((await register(app, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(201);
  });

  test('are reported in headers, and refuse with 429 once they are used up', async () => {
    const app = await start({ REGISTER_LIMIT: 2 });
    const first = await register(app);
    expect(first.status).toBe(201);
    expect(first.headers.get('ratelimit-policy')).toBe('"register";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"register";r=1;t=\d+$/);
    expect(first.headers.get('retry-after')).toBeNull();
    expect((await register(app)).headers.get('ratelimit')).toMatch(/^"register";r=0;t=\d+$/);

    const refused = await register(app);
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toBe(`"register";r=0;t=${seconds}`);
    expect(await refused.text()).toBe(
      `Your address has sent more than 2 registrations within a minute. Try again in ${seconds} seconds.`,
    );
    expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await app.agents.count()).toBe(2);
    const problem = await register(app, { accept: 'application/problem+json' });
    expect(await problem.json()).toMatchObject({ type: 'about:blank', title: 'Too Many Requests', status: 429 });
  });

  test('are shared by all processes and both protocols, count each call of a batch and refuse it whole', async () => {
    const other = await openDatabase(database.url);
    const [one, two] = [await start({ REGISTER_LIMIT: 6 }), await start({ REGISTER_LIMIT: 6 })];
    const batch = (app: TestApp, calls: number) =>
      postJson(
        `${app.url}/trpc/${Array.from({ length: calls }, () => 'agents.register').join(',')}?batch=1`,
        Object.fromEntries(Array.from({ length: calls }, (_, index) => [index, makeNewAgent()])),
      );
    const answers = await Promise.all([
      register(one),
      register(two),
      postJson(`${two.url}/trpc/agents.register`, makeNewAgent()),
    ]);
    expect(statuses(answers).toSorted((a, b) => a - b)).toEqual([200, 201, 201]);
    expect((await batch(one, 2)).status).toBe(200);
    const results = (await (await batch(one, 2)).json()) as { error?: { message: string; data: unknown } }[];
    expect(results.filter(({ error }) => error)).toHaveLength(2);
    expect(results[0]?.error).toMatchObject({
      message: expect.stringMatching(/^Your address has sent more than 6 registrations within a minute\. .+\.$/),
      data: { code: 'TOO_MANY_REQUESTS', httpStatus: 429 },
    });
    expect(statuses([await register(one), await register(two)])).toEqual([429, 429]);
    expect(await createRateLimitStore(other.engine).increment('register 127.0.0.1', 6)).toMatchObject({
      used: 7,
    });
    await other.engine.close();
    expect(await one.agents.count()).toBe(5);
  });

  test('can apply to all clients together; a refused client does not use up the shared limit', async () => {
    const app = await start({ REGISTER_LIMIT: 1, REGISTER_LIMIT_GLOBAL: 2, TRUST_PROXY: 1 });
    const from = (address: string) => register(app, { 'x-forwarded-for': address });
    const first = await from('192.0.2.1');
    expect(first.headers.get('ratelimit-policy')).toBe('"register";q=1;w=60, "register-all";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"register";r=0;t=\d+, "register-all";r=1;t=\d+$/);
    expect(statuses([await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.3')])).toEqual([
      429, 201, 429,
    ]);
    expect(await (await from('192.0.2.4')).text()).toMatch(/^All clients together have sent more than 2 registrations/);
  });
});

describe('rate limits', () => {
  test('count every registration with a text as body, invalid ones too, and no other request', async () => {
    const app = await start({ REGISTER_LIMIT: 3 });
    const url = `${app.url}/api/agents`;
    const headers = { 'content-type': 'application/json' };
    const answers = [
      await send(url, { method: 'POST', headers, body: '{' }),
      await send(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }),
      await send(url, { method: 'POST', headers, body: 'x'.repeat(70_000) }),
      await send(url, { method: 'PUT', headers, body: '{}' }),
      await postJson(url, {}),
      await postJson(url, makeNewAgent()),
      await postJson(url, {}),
    ];
    expect(statuses(answers)).toEqual([400, 415, 413, 405, 400, 201, 429]);
  });

  test('with the value 0 neither refuse nor set headers', async () => {
    const app = await start({});
    const answers = await Promise.all(Array.from({ length: 70 }, () => register(app)));
    expect(new Set(statuses(answers))).toEqual(new Set([201]));
    expect(answers[0]!.headers.get('ratelimit')).toBeNull();
    expect(answers[0]!.headers.get('ratelimit-policy')).toBeNull();
  });

  test('count reads separately from registrations, each call of a batch, and no cache hits', async () => {
    const app = await start({ READ_LIMIT: 5, REGISTER_LIMIT: 1 });
    expect((await fetch(`${app.url}/api/stats`)).headers.get('ratelimit')).toMatch(/^"read";r=4;t=\d+$/);
    expect((await fetch(`${app.url}/api/agents`, { method: 'HEAD' })).headers.get('ratelimit')).toMatch(/r=3;/);
    expect((await fetch(`${app.url}/api/agents`)).headers.get('ratelimit')).toBeNull();
    expect((await register(app)).status).toBe(201);
    const batch = await fetch(`${app.url}/trpc/stats.get,stats.get,stats.get,stats.get?batch=1&input={}`);
    const results = (await batch.json()) as { error?: unknown }[];
    expect(results.filter(({ error }) => error)).toHaveLength(4);
    const refused = await fetch(`${app.url}/api/agents`);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.text()).toMatch(
      /^Your address has sent more than 5 reads within a minute\. Try again in \d+ seconds\.$/,
    );
  });

  test('count each error of a client as one read, unless another limit has counted it', async () => {
    const app = await start({ withSite: true, READ_LIMIT: 100, REGISTER_LIMIT: 20 });
    const rejected: [path: string, status: number, request?: RawRequest][] = [
      ['/api/nothing', 404],
      [`/api/agents/${randomUUID()}`, 404],
      ['/api/search?q=', 400],
      ['/api/agents', 405, { method: 'PUT' }],
      ['/api/agents', 415, { method: 'POST', body: 'x' }],
      ['/api/agents', 400, { headers: { host: 'a/b' } }],
      ['/api/agents', 417, { headers: { expect: 'everything' } }],
      [`/${'x'.repeat(9_000)}`, 414],
      ['/trpc/agents.list', 405, { method: 'PUT' }],
      [`/trpc/${'stats.get,'.repeat(11)}?batch=1`, 400],
      ['/trpc/nothing', 404],
    ];
    for (const [index, [path, status, request]] of rejected.entries()) {
      const answer = await send(app.url + path, request);
      expect([path, answer.status]).toEqual([path, status]);
      const left = await send(`${app.url}/api/nothing`);
      expect([path, left.headers.ratelimit]).toEqual([path, expect.stringMatching(`^"read";r=${98 - 2 * index};`)]);
    }
    expect((await postJson(`${app.url}/api/agents`, {})).headers.get('ratelimit')).toMatch(/^"register";r=19;/);
    const headers = { 'content-type': 'application/json' };
    const malformed = await send(`${app.url}/api/agents`, { method: 'POST', headers, body: '{' });
    expect([malformed.status, malformed.headers.ratelimit]).toEqual([400, expect.stringMatching(/^"register";r=18;/)]);
    await send(`${app.url}/healthz`, { headers: { host: 'a/b' } });
    expect((await send(`${app.url}/api/nothing`)).headers.ratelimit).toMatch(/^"read";r=77;/);
  });

  test.each<[string, string, RawRequest]>([
    ['too large a batch', `/trpc/${'stats.get,'.repeat(11)}?batch=1`, {}],
    ['input that is not JSON', '/trpc/agents.get?input={', {}],
    ['input of a batch that is not JSON', '/trpc/agents.get?batch=1&input={', {}],
    [
      'a body that is not JSON',
      '/trpc/agents.register',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
    ],
  ])('refuse %s over tRPC with 429 once the reads are used up', async (_, path, request) => {
    const app = await start({ READ_LIMIT: 1, REGISTER_LIMIT: 1 });
    const first = await send(app.url + path, request);
    expect([first.status, first.headers.ratelimit]).toEqual([400, expect.stringMatching(/^"\w+";r=0;/)]);
    const second = await send(app.url + path, request);
    expect([second.status, second.body]).toEqual([429, expect.stringMatching(/Your address has sent more than 1 /)]);
    expect(second.headers['retry-after']).toMatch(/^\d+$/);
  });

  test('refuse errors with 429 once the reads are used up, but neither health checks nor cache hits', async () => {
    const app = await start({ READ_LIMIT: 2 });
    expect((await send(`${app.url}/api/agents`)).status).toBe(200);
    expect((await send(`${app.url}/api/nothing`)).status).toBe(404);
    const refused = await send(`${app.url}/api/agents`, { method: 'PUT' });
    expect(refused).toMatchObject({
      status: 429,
      body: expect.stringMatching(/^Your address has sent more than 2 reads/),
    });
    expect(refused.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) });
    expect(refused.headers).not.toHaveProperty('allow');
    for (const path of ['/api/agents', '/healthz', '/readyz']) expect((await send(app.url + path)).status).toBe(200);
  });

  test.each<[string, TestAppOptions['TRUST_PROXY'], string, string, boolean]>([
    ['two IPv4 addresses', 1, '192.0.2.1', '192.0.2.2', false],
    ['an IPv4 address and the same within IPv6', 1, '192.0.2.1', '::ffff:192.0.2.1', true],
    ['two spellings of an IPv6 address', 1, '2001:db8::1', '2001:DB8:0:0:0:0:0:1', true],
    ['two addresses of an IPv6 network of 64 bits', 1, '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['addresses of two such networks', 1, '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['texts that are not addresses', 1, 'unknown', 'UNKNOWN', true],
    ['forwarded addresses when no proxy is trusted', undefined, '192.0.2.1', '192.0.2.2', true],
    ['forwarded addresses of a trusted proxy', ['loopback'], '192.0.2.1', '192.0.2.2', false],
    ['forwarded addresses of another than the trusted proxy', ['10.0.0.0/8'], '192.0.2.1', '192.0.2.2', true],
    ['addresses that clients put before their own', 1, '198.51.100.1, 192.0.2.1', '198.51.100.2, 192.0.2.1', true],
    ['the addresses before a second trusted proxy', 2, '192.0.2.1, 10.0.0.1', '192.0.2.2, 10.0.0.1', false],
  ])('treat %s as one client or two', async (_what, TRUST_PROXY, one, other, isSame) => {
    const app = await start({ REGISTER_LIMIT: 1, TRUST_PROXY });
    const answers = [
      await register(app, { 'x-forwarded-for': one }),
      await register(app, { 'x-forwarded-for': other }),
    ];
    expect(statuses(answers)).toEqual([201, isSame ? 429 : 201]);
  });
});

describe('an IPv6 /48', () => {
  test('may register as often as four clients, with any addresses', async () => {
    const app = await start({ REGISTER_LIMIT: 2, TRUST_PROXY: 1 });
    const from = (address: string) => register(app, { 'x-forwarded-for': address });
    const answers = [];
    for (let network = 0; network < 9; network += 1) answers.push(await from(`2001:db8:1:${network}::1`));
    expect(statuses(answers)).toEqual([...Array<number>(8).fill(201), 429]);
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"register";q=2;w=60, "register-network";q=8;w=60');
    expect(answers[7]!.headers.get('ratelimit')).toMatch(/^"register";r=1;t=\d+, "register-network";r=0;t=\d+$/);
    expect(await answers[8]!.text()).toMatch(/^Your network \(an IPv6 \/48\) has sent more than 8 registrations/);
    expect((await from('2001:db8:2::1')).status).toBe(201);
    expect((await from('192.0.2.1')).headers.get('ratelimit-policy')).toBe('"register";q=2;w=60');
  });

  test('is not used up by one client that is refused', async () => {
    const app = await start({ REGISTER_LIMIT: 1, TRUST_PROXY: 1 });
    const from = (address: string) => register(app, { 'x-forwarded-for': address });
    for (const status of [201, 429, 429, 429, 429]) expect((await from('2001:db8:1:1::1')).status).toBe(status);
    expect((await from('2001:db8:1:2::1')).status).toBe(201);
  });

  test('of no registrations for a client also lifts its limits of edits and bytes', async () => {
    const options = { ...defaultConfig, ...defaultServerOptions, editLimit: 1, writeBytesPerDay: 1 };
    const consume = async (REGISTER_LIMIT: number) => {
      const rateLimiter = createRateLimiter({ ...options, REGISTER_LIMIT }, createMemoryRateLimitStore());
      const calls = ['register', 'edit', 'edit'] as const;
      return Promise.allSettled(calls.map((kind) => rateLimiter.consume(kind, '192.0.2.1', { bytes: 2 })));
    };
    expect((await consume(0)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect((await consume(9)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  test('keeps its limit of reads in memory for any number of addresses', async () => {
    const rateLimiter = createRateLimiter(
      { ...defaultConfig, ...defaultServerOptions, READ_LIMIT: 1 },
      createMemoryRateLimitStore(),
    );
    const read = (network: number) => rateLimiter.consume('read', `2001:db8:1:${network.toString(16)}::1`);
    for (let network = 0; network < 4; network += 1) await read(network);
    for (let network = 4; network < 20_000; network += 1) await read(network).catch(() => {});
    await expect(read(20_000)).rejects.toThrow(/^Your network/);
  });
});

describe('when registration is closed', () => {
  const sentence = `${REGISTRATION_CLOSED}.`;

  test('every registration is refused with 503 over both protocols, not counted and not logged', async () => {
    const log: string[] = [];
    const app = await start({
      REGISTRATION: 'closed',
      REGISTER_LIMIT: 5,
      logger: { level: 'error', stream: { write: (line: string) => void log.push(line) } },
    });
    const refused = await register(app);
    expect(refused.status).toBe(503);
    expect(await refused.text()).toBe(sentence);
    expect(refused.headers.get('ratelimit')).toBeNull();
    expect((await postJson(`${app.url}/api/agents`, {})).status).toBe(503);
    const overTrpc = await postJson(`${app.url}/trpc/agents.register`, makeNewAgent());
    expect(await overTrpc.json()).toMatchObject({ error: { message: sentence, data: { httpStatus: 503 } } });
    expect((await fetch(`${app.url}/api/agents`)).status).toBe(200);
    expect(log).toEqual([]);
  });
});
