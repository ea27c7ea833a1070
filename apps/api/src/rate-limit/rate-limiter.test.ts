import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKyselyRateLimitStore } from './kysely-rate-limit-store.ts';
import { openDatabase } from '../db/open-database.ts';
import { engines, makeNewAgent, type TestDatabase } from '../testing/engines.ts';
import { postJson, send, startTestApp, type TestApp, type TestAppOptions } from '../testing/test-app.ts';

let database: TestDatabase;
let apps: TestApp[];

afterEach(async () => {
  for (const app of apps) await app.close();
  await database.remove();
});

async function start(options: TestAppOptions): Promise<TestApp> {
  const app = await startTestApp({ database, ...options });
  apps.push(app);
  return app;
}

const register = (app: TestApp, headers?: Record<string, string>) =>
  postJson(`${app.url}/api/agents`, makeNewAgent(), headers);
const statuses = (responses: readonly { status: number }[]) => responses.map(({ status }) => status);

describe.each(engines)('registering on $name', ({ open }) => {
  beforeEach(async () => {
    apps = [];
    database = await open();
  });

  test('tells in its headers what is left, and is refused with 429 when nothing is', async () => {
    const app = await start({ limits: { register: 2 } });
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
      `Your address has sent more than 2 registrations within a minute; please try again in ${seconds} seconds.`,
    );
    expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await app.agents.count()).toBe(2);
    const problem = await register(app, { accept: 'application/problem+json' });
    expect(await problem.json()).toMatchObject({ type: 'about:blank', title: 'Too Many Requests', status: 429 });
  });

  test('draws on one budget for all processes and both protocols, each call of a batch counted, and a batch refused whole', async () => {
    const other = await openDatabase(database.url);
    const [one, two] = [await start({ limits: { register: 6 } }), await start({ limits: { register: 6 } })];
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
      message: expect.stringMatching(/^Your address has sent more than 6 registrations within a minute; .+\.$/),
      data: { code: 'TOO_MANY_REQUESTS', httpStatus: 429 },
    });
    expect(statuses([await register(one), await register(two)])).toEqual([429, 429]);
    expect(await createKyselyRateLimitStore(other.engine).increment('register 127.0.0.1', 6, 60_000)).toMatchObject({
      used: 7,
    });
    await other.engine.close();
    expect(await one.agents.count()).toBe(5);
  });

  test('may have a budget for all clients, on which a client that is refused does not draw', async () => {
    const app = await start({ limits: { register: 1, registerGlobal: 2 }, trustProxy: 1 });
    const from = (address: string) => register(app, { 'x-forwarded-for': address });
    const first = await from('192.0.2.1');
    expect(first.headers.get('ratelimit-policy')).toBe('"register";q=1;w=60, "register-all";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"register";r=0;t=\d+, "register-all";r=1;t=\d+$/);
    expect(statuses([await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.3')])).toEqual([
      429, 201, 429,
    ]);
    expect(await (await from('192.0.2.4')).text()).toMatch(/^The registry has been sent more than 2 registrations/);
  });
});

describe('budgets', () => {
  beforeEach(async () => {
    apps = [];
    database = await engines[0].open();
  });

  test('count every registration whose body is JSON, a wrong one too, and nothing that is refused before', async () => {
    const app = await start({ limits: { register: 2 } });
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

  test('that are 0 neither refuse nor say anything', async () => {
    const app = await start({});
    const answers = await Promise.all(Array.from({ length: 70 }, () => register(app)));
    expect(new Set(statuses(answers))).toEqual(new Set([201]));
    expect(answers[0]!.headers.get('ratelimit')).toBeNull();
    expect(answers[0]!.headers.get('ratelimit-policy')).toBeNull();
  });

  test('of reads are apart from those of registrations, count each call of a batch, and leave cache hits free', async () => {
    const app = await start({ limits: { read: 5, register: 1 } });
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
    expect(await refused.text()).toMatch(/^Your address has sent more than 5 calls within a minute; please try again/);
  });

  test.each<[string, TestAppOptions['trustProxy'], string, string, boolean]>([
    ['two IPv4 addresses', 1, '192.0.2.1', '192.0.2.2', false],
    ['an IPv4 address and the same within IPv6', 1, '192.0.2.1', '::ffff:192.0.2.1', true],
    ['two spellings of an IPv6 address', 1, '2001:db8::1', '2001:DB8:0:0:0:0:0:1', true],
    ['two addresses of an IPv6 network of 64 bits', 1, '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['addresses of two such networks', 1, '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['what is no address', 1, 'unknown', 'UNKNOWN', true],
    ['forwarded addresses when no proxy is trusted', undefined, '192.0.2.1', '192.0.2.2', true],
    ['forwarded addresses of a trusted proxy', ['loopback'], '192.0.2.1', '192.0.2.2', false],
    ['forwarded addresses of another than the trusted proxy', ['10.0.0.0/8'], '192.0.2.1', '192.0.2.2', true],
    ['what clients claim before their own address', 1, '198.51.100.1, 192.0.2.1', '198.51.100.2, 192.0.2.1', true],
    ['the addresses before a second trusted proxy', 2, '192.0.2.1, 10.0.0.1', '192.0.2.2, 10.0.0.1', false],
  ])('take %s for one client, or not', async (_what, trustProxy, one, other, isSame) => {
    const app = await start({ limits: { register: 1 }, trustProxy });
    const answers = [
      await register(app, { 'x-forwarded-for': one }),
      await register(app, { 'x-forwarded-for': other }),
    ];
    expect(statuses(answers)).toEqual([201, isSame ? 429 : 201]);
  });
});

describe('when registrations are closed', () => {
  const sentence = 'Registrations are closed for now; please come back later.';

  test('every registration is refused with 503, over both protocols, and none is charged or logged', async () => {
    apps = [];
    database = await engines[0].open();
    const log: string[] = [];
    const app = await start({
      isRegistrationClosed: true,
      limits: { register: 5 },
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
