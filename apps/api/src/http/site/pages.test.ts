import { randomUUID } from 'node:crypto';
import { createManagementKey, toAgentPath, toViewPath } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseUnavailableError } from '../../database-error.ts';
import { readCharges } from '../../rate-limit/check-usages.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import {
  makeFailingStore,
  send,
  startTestApp,
  TEST_PAGE,
  type TestApp,
  type TestAppOptions,
} from '../../testing/test-app.ts';

const agent = makeAgent();
let app: TestApp;

/** The database of applications that a test starts for itself. */
let database: TestDatabase;

beforeAll(async () => {
  database = await engines[0].open();
});

beforeEach(() => database.empty());

afterAll(() => database.remove());

describe('the built web app', () => {
  beforeAll(async () => {
    app = await startTestApp({ withSite: true, renderMarkup: undefined });
    await app.agents.load([agent]);
  });

  afterAll(() => app.close());

  test.each([
    ['/', 200],
    ['/?q=otter', 200],
    [`/agent/${agent.id}`, 200],
    [`/agent/${agent.id.toUpperCase()}`, 200],
    [`/agent/${agent.id}/`, 200],
    [`/Agent/${agent.id}`, 404],
    [`/agent/${randomUUID()}`, 404],
    ['/agent/1', 404],
    ['/agent', 404],
    ['/agent/', 404],
    [`/agent/${agent.id}/more`, 404],
    ['/nothing', 404],
    ['/nothing/at/all?x=1', 404],
    ['/assets/missing-abc123.js', 404],
    ['/index.html', 404],
    ['/server/entry-server.js', 404],
    ['/apis', 404],
  ])('%s is a page with status %i', async (path, status) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(app.url + path, { method });
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe(
        `${status === 200 ? 'private, max-age=0, must-revalidate' : 'no-store'}, no-transform`,
      );
      expect(await response.text()).toMatch(method === 'GET' ? /^<!doctype html>/ : /^$/);
    }
  });

  test('a hashed asset is cached for a year without revalidation', async () => {
    const response = await fetch(`${app.url}/assets/x-abc123.js`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe('export {};\n');
  });

  test('any other file is cached for an hour', async () => {
    const response = await fetch(`${app.url}/favicon.svg`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  test.each([
    '/../package.json',
    '/assets/../../package.json',
    '/..%2fpackage.json',
    '/assets/%2e%2e%2f%2e%2e%2fetc/passwd',
  ])('%s serves no file outside the build folder', async (path) => {
    const { status, body } = await send(app.url, { path });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body).not.toMatch(/"name"|root:/);
  });

  test.each([
    '/.well-known/mcp.json',
    '/.well-known/openid-configuration?x=1',
    '/.well-known',
    '/agents.json',
    '/feeds/agents.xml?x',
  ])('%s is one line of text for programs, and a page for browsers', async (path) => {
    const read = async (accept: string) => {
      const { status, headers, body } = await send(app.url + path, { headers: { accept } });
      return [status, headers['content-type'], headers.vary?.includes('Accept'), body.length < 100];
    };
    for (const accept of ['*/*', 'application/xml', 'text/plain, text/html;q=0.5']) {
      expect(await read(accept)).toEqual([404, 'text/plain; charset=utf-8', true, true]);
    }
    expect(await read('application/json')).toEqual([404, 'application/problem+json; charset=utf-8', true, false]);
    const browser = await read('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    expect(browser).toEqual([404, 'text/html; charset=utf-8', true, false]);
  });

  test.each([
    ['/nothing', 404, 'There is nothing at this address.'],
    ['/assets/x-abc123.js', 405, 'POST is not allowed here, only GET, HEAD.'],
  ])('POST to %s is %i in plain text', async (path, status, text) => {
    for (const body of ['', 'a=b']) {
      const response = await fetch(app.url + path, { method: 'POST', body: body && new URLSearchParams(body) });
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await response.text()).toBe(text);
    }
  });
});

describe('a page', () => {
  test('receives the origin of the registry and whether registration is open', async () => {
    const { url } = await start({ REGISTRATION: 'closed' });
    expect(await readAsked(`${url}/?q=otter`)).toMatchObject({ url: '/?q=otter', origin: url, registration: 'closed' });
    const { url: elsewhere } = await start({ PUBLIC_URL: 'https://registry.example' });
    expect(await readAsked(elsewhere)).toMatchObject({
      origin: 'https://registry.example',
      registration: 'open',
    });
  });

  test.each([
    [
      ['/?category=zz', '/?sort=x'],
      ['/?category=.', '/?sort=invalid'],
    ],
    [
      ['/?sort=x', '/?category=zz'],
      ['/?sort=invalid', '/?category=.'],
    ],
    [
      ['/agent/x', '/agent/any?manage=x', '/agent/y?manage=edit', '/agent/'],
      ['/agent/any', '/agent/any?manage=invalid', '/agent/any', '/404'],
    ],
  ])('of an address with an invalid part is that of the part: %s', async (paths, rendered) => {
    const { url } = await start();
    for (const [index, path] of paths.entries()) {
      expect(await readAsked(url + path)).toMatchObject({ url: rendered[index] });
    }
  });

  test('is sent without data that cannot be read, and is not cached', async () => {
    const { url } = await start({ agents: makeFailingStore() });
    for (const path of ['/', `/agent/${agent.id}`]) {
      const response = await fetch(url + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
      expect(await response.text()).toContain(TEST_PAGE);
    }
  });

  test('for an unknown path is sent even if reading the version throws synchronously', async () => {
    const version = () => {
      throw new DatabaseUnavailableError('The disk is gone');
    };
    for (const agents of [makeFailingStore(), { ...makeFailingStore(), version }]) {
      const { url } = await start({ agents });
      const response = await fetch(`${url}/nothing`);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain(TEST_PAGE);
    }
  });

  test('of an agent is a view by its own call once it is shown, except for crawlers and unknown agents', async () => {
    const { url, agents, views } = await start();
    await agents.load([agent]);
    const path = `${url}${toAgentPath(agent.id)}`;
    const post = async (id: string, headers = {}) =>
      (await fetch(url + toViewPath(id), { method: 'POST', headers })).status;
    await fetch(path);
    // The page reads the agent when the visitor comes from a list.
    await fetch(`${url}/api/agents/${agent.id}`, { headers: { 'sec-fetch-site': 'same-origin' } });
    await fetch(`${url}/api/agents/${agent.id}`, { headers: { referer: `${url}/` } });
    expect(await post(agent.id, { 'user-agent': 'Googlebot/2.1' })).toBe(204);
    expect([await post(randomUUID()), await post('x')]).toEqual([404, 404]);
    expect(await views.monthlyViews()).toBe(0);
    expect(await post(agent.id)).toBe(204);
    expect(await views.monthlyViews()).toBe(1);
    await fetch(`${url}/api/agents/${agent.id}`, { headers: { referer: 'https://other.example/' } });
    expect(await views.monthlyViews()).toBe(2);
  });

  test('that shows ages is rendered again on another day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    let renderings = 0;
    const { url, agents } = await start({ renderMarkup: async () => String((renderings += 1)) });
    await agents.load([agent]);
    for (const path of ['/', `/agent/${agent.id}`]) {
      renderings = 0;
      for (const hour of ['12', '12', '36']) {
        vi.setSystemTime(Date.UTC(2026, 10, 21, Number(hour)));
        await (await fetch(url + path)).text();
      }
      expect(renderings).toBe(2);
    }
  });

  test('counts as several reads when it is rendered, also as 404, and as none from the cache', async () => {
    // The home page is rendered again once its number of views is a minute old.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const { url } = await start({ READ_LIMIT: 3 * readCharges.page });
    const status = async (path: string) => (await fetch(url + path)).status;
    for (const path of ['/', '/', '/?category=vision', '/?x=1']) expect(await status(path)).toBe(200);
    expect(await status(`/agent/${randomUUID()}`)).toBe(404);
    for (const path of [`/agent/${randomUUID()}`, '/nowhere', '/robots.txt', '/?q=a']) {
      expect(await status(path)).toBe(429);
    }
    for (const path of ['/', '/favicon.svg', '/healthz']) expect(await status(path)).toBe(200);
  });
});

describe('the registration form without scripts', () => {
  const fields = { name: 'Front Desk', description: 'Answers.', category: 'chatbot', contactEmail: 'a@example.com' };
  const post = (url: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(body), headers, redirect: 'manual' });

  test('registers, and answers with a key of the agent that no cache may keep', async () => {
    const { url, agents } = await start();
    const response = await post(url, fields);
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store, no-transform']);
    const [stored] = await agents.list();
    expect(stored).toMatchObject(fields);
    const [path, key = ''] = (await response.text()).split('#manage=');
    expect(path).toBe(`/agent/${stored?.id}`);
    expect((await post(`${url}${path}?manage=withdraw`, { key })).status).toBe(303);
    expect(await agents.count()).toBe(0);
  });

  test('registers once when the same form is sent repeatedly, and answers with one key', async () => {
    const { url, agents } = await start();
    const answers = [post(url, fields), post(url, fields)];
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(await agents.count()).toBe(1);
    expect(new Set(statuses)).toEqual(new Set([201, 422]));
    await post(url, { ...fields, description: 'Answers, and asks.' });
    expect(await agents.count()).toBe(2);
  });

  test('obeys the contract, the rate limit and closed registration', async () => {
    const { url, agents } = await start({ REGISTER_LIMIT: 2 });
    const baited = await post(url, { ...fields, subject: 'Cheap watches' });
    expect(baited.status).toBe(400);
    expect(await baited.text()).toMatch(/^The field subject is hidden from people/);
    expect((await post(url, fields)).status).toBe(201);
    const late = await post(url, fields);
    expect(late.status).toBe(429);
    expect(late.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await agents.count()).toBe(1);
    const closed = await start({ REGISTRATION: 'closed' });
    expect((await post(closed.url, fields)).status).toBe(503);
  });

  test('counts once against the rate limit, also when it is invalid', async () => {
    const { url } = await start({ REGISTER_LIMIT: 3 });
    const [invalid, valid, another, refused] = [
      await post(url, { ...fields, category: '' }),
      await post(url, fields),
      await post(url, {}),
      await post(url, {}),
    ];
    expect([invalid.status, valid.status, another.status, refused.status]).toEqual([400, 201, 400, 429]);
    expect(valid.headers.get('ratelimit')).toMatch(/^"register";r=1;t=\d+$/);
    expect(await refused.text()).toMatch(/^Your address has sent more than 3 registrations within a minute/);
  });

  test.each([
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 201],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://elsewhere.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'https://registry.example' }, 201],
  ])('with %j gets %i', async (headers, status) => {
    const { url, agents } = await start({ PUBLIC_URL: 'https://registry.example' });
    expect((await post(url, fields, headers)).status).toBe(status);
    expect(await agents.count()).toBe(status === 201 ? 1 : 0);
  });

  test('shows and logs no value that was pasted with connections', async () => {
    const texts: string[] = [];
    const logger = { level: 'trace', stream: { write: (line: string) => void texts.push(line) } };
    const { url, agents } = await start({ logger });
    const pasted = [
      'https://a.example.com/mcp\r\nX-Key: zx4711',
      'A=zx4711 npx -y tides@1.0.0 --key zx4711 zx4711',
      'claude mcp add -t http t https://b.example.com/ -H "X-Key: zx4711"',
      '{"servers": {"t": {"url": "https://c.example.com/", "headers": {"X-Key": "zx4711"}}}}',
    ];
    for (const connections of [...pasted, pasted.join('\r\n'), 'uvx t zx4711', '{"env": {"X": "zx4711', 'zx4711']) {
      const response = await post(url, { ...fields, connections });
      texts.push(await response.text());
      // The renderer of this test shows what it was given.
      expect(texts.at(-1)).toMatch(/^connections must be a list/);
    }
    expect(await agents.count()).toBe(0);
    expect(texts.join('\n')).not.toContain('zx4711');
  });

  test('of an owner changes nothing if another site or a wrong key has sent it', async () => {
    const { url, agents } = await start({ PUBLIC_URL: 'https://registry.example' });
    const key = createManagementKey();
    const { agent } = await agents.register(makeNewAgent(), { key });
    const { id } = agent;
    const withdraw = (given: string, headers: Record<string, string>) =>
      post(`${url}/agent/${id}?manage=withdraw`, { key: given }, headers);
    expect((await withdraw(key, { origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await withdraw(key, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await withdraw(createManagementKey(), {})).status).toBe(401);
    expect((await fetch(`${url}/agent/${id}?manage=withdraw&key=${key}`)).status).toBe(200);
    expect(await agents.count()).toBe(1);
    expect((await withdraw(key, {})).status).toBe(303);
    expect(await agents.count()).toBe(0);
  });

  test('of an agent’s page changes nothing unless its address names one action', async () => {
    const { url, agents } = await start();
    const key = createManagementKey();
    const { agent } = await agents.register(makeNewAgent(), { key });
    for (const query of [
      '',
      '?manage=',
      '?manage=key',
      '?manage=delete',
      '?manage=WITHDRAW',
      '?manage=withdraw&manage=withdraw',
      '?manage=edit&manage=withdraw',
      '?manage[]=withdraw',
      '?action=withdraw',
    ]) {
      const response = await post(`${url}/agent/${agent.id}${query}`, { key, manage: 'withdraw' });
      expect([query, response.status, await response.text()]).toEqual([
        query,
        400,
        'manage must be one of edit, withdraw, report.',
      ]);
    }
    expect(await agents.find(agent.id)).toEqual(agent);
  });

  test('reads a held agent with its posted key only, and no cache may keep the page', async () => {
    const { url, agents } = await start();
    const key = createManagementKey();
    const { agent } = await agents.register(makeNewAgent(), { key, isHeld: true });
    const path = `${url}/agent/${agent.id}?manage=edit`;
    const notFound = expect.objectContaining({ status: 404 });
    const response = await post(path, { key });
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(await response.json()).toEqual([notFound, agent]);
    for (const wrong of [createManagementKey(), 'no key', '']) {
      expect(await (await post(path, { key: wrong })).json()).toEqual([notFound, notFound]);
    }
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(path, { headers })).status).toBe(404);
    const other = await fetch(path, { method: 'POST', headers, body: new URLSearchParams({ name: 'Desk' }) });
    expect(await other.json()).toEqual([notFound, notFound]);
  });

  test('changes nothing if a field has more than one value', async () => {
    const { url, agents } = await start();
    const key = createManagementKey();
    const { agent } = await agents.register(makeNewAgent(), { key });
    for (const [path, body, field] of [
      ['/', `${new URLSearchParams(fields).toString()}&name=Other`, 'name'],
      ['/', `${new URLSearchParams(fields).toString()}&capabilities=a&capabilities=b`, 'capabilities'],
      [`/agent/${agent.id}?manage=withdraw`, `key=${key}&key=${key}`, 'key'],
      [`/agent/${agent.id}?manage=edit`, `key=${key}&description=One&description=Two`, 'description'],
    ] as const) {
      const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(body) });
      expect([response.status, await response.text()]).toEqual([400, `The form has more than one value for ${field}.`]);
    }
    expect(await agents.list()).toEqual([agent]);
  });

  test.each(['\xFF', '%FF', '%c3%28', '%C3', 'Zo\xEB'])(
    'with the name %j, which is no UTF-8, is refused and not registered',
    async (name) => {
      const { url, agents } = await start();
      const { name: _, ...others } = fields;
      const { status, body } = await send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(`${new URLSearchParams(others).toString()}&name=${name}`, 'latin1'),
      });
      expect({ status, body }).toEqual({ status: 400, body: 'The body is not valid UTF-8.' });
      expect(await agents.count()).toBe(0);
    },
  );

  test.each(['Zoë 🦦', '100 %', '50%, 100%zz', 'a+b&c=d'])('registers the name %j unchanged', async (name) => {
    const { url, agents } = await start();
    expect((await post(url, { ...fields, name })).status).toBe(201);
    expect(await agents.list()).toMatchObject([{ name }]);
  });

  test('with another content type is refused with 415', async () => {
    const { url } = await start();
    for (const [body, status] of [
      [JSON.stringify(fields), 415],
      ['', 415],
    ] as const) {
      expect((await fetch(url, { method: 'POST', body })).status).toBe(status);
    }
  });
});

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const own = await startTestApp({ database, withSite: true, ...options });
  onTestFinished(() => own.close());
  return own;
}

/** The request that the page at a URL shows. */
async function readAsked(url: string): Promise<unknown> {
  return JSON.parse((await (await fetch(url)).text()).replace(TEST_PAGE, ''));
}

describe('without a built web app', () => {
  beforeAll(async () => {
    app = await startTestApp();
    await app.agents.load([agent]);
  });

  afterAll(() => app.close());

  test('the API still works', async () => {
    expect(await (await fetch(`${app.url}/api/agents`)).json()).toEqual([agent]);
  });

  test.each(['/', `/agent/${agent.id}`, '/nothing'])('%s is 404 in plain text', async (path) => {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('There is nothing at this address.');
  });
});
