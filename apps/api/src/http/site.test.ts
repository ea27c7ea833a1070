import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AgentStore } from '../agents/agent-store.ts';
import { makeAgent } from '../db/test-engines.ts';
import { makeFailingStore, send, startTestApp, TEST_PAGE, type TestApp } from './test-app.ts';

const agent = makeAgent();
let app: TestApp;

describe('the built web app', () => {
  beforeAll(async () => {
    app = await startTestApp({ withSite: true });
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
    ['/apis', 404],
  ])('%s is its page with %i', async (path, status) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(app.url + path, { method });
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe(
        status === 200 ? 'public, max-age=0, must-revalidate' : 'no-store',
      );
      expect(await response.text()).toBe(method === 'GET' ? TEST_PAGE : '');
    }
  });

  test('a hashed asset is kept for a year and never asked for again', async () => {
    const response = await fetch(`${app.url}/assets/x-abc123.js`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe('export {};\n');
  });

  test('any other file is kept for an hour', async () => {
    const response = await fetch(`${app.url}/robots.txt`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  test.each([
    '/../package.json',
    '/assets/../../package.json',
    '/..%2fpackage.json',
    '/assets/%2e%2e%2f%2e%2e%2fetc/passwd',
  ])('%s leads to no file outside of it', async (path) => {
    const { status, body } = await send(app.url, { path });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body).not.toMatch(/"name"|root:/);
  });

  test.each(['/', '/nothing', `/agent/${agent.id}`, '/assets/x-abc123.js'])(
    'POST to %s is 404 in plain text',
    async (path) => {
      for (const body of ['', 'a=b']) {
        const response = await fetch(app.url + path, { method: 'POST', body: body && new URLSearchParams(body) });
        expect(response.status).toBe(404);
        expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
        expect(await response.text()).toBe('There is nothing at this address.');
      }
    },
  );
});

describe('the page tells the browser to read pages of a list', () => {
  const meta = /<meta name="agent-lists" content="paged" \/>/;

  test.each([
    [2_000, false],
    [2_001, true],
  ])('with %i agents: %s', async (count, isPaged) => {
    const store = makeFailingStore();
    const policy = await readPolicy();
    const found = { ...store, count: async () => count, find: async () => agent };
    const { url } = await start(found);
    for (const path of ['/', '/?q=otter', `/agent/${agent.id}`, '/nothing']) {
      const response = await fetch(url + path);
      const page = await response.text();
      expect(meta.test(page)).toBe(isPaged);
      expect(page.replace(meta, '')).toBe(TEST_PAGE);
      expect(response.headers.get('content-security-policy')).toBe(policy);
    }
  });

  test('also where the database cannot be asked how many agents there are', async () => {
    const { url } = await start(makeFailingStore());
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(meta);
  });

  /** The policy of a site whose page says nothing of lists. */
  async function readPolicy(): Promise<string | null> {
    const { url } = await start();
    return (await fetch(url)).headers.get('content-security-policy');
  }

  async function start(agents?: AgentStore): Promise<TestApp> {
    const own = await startTestApp({ withSite: true, ...(agents && { agents }) });
    onTestFinished(() => own.close());
    return own;
  }
});

describe('without a built web app', () => {
  beforeAll(async () => {
    app = await startTestApp();
    await app.agents.load([agent]);
  });

  afterAll(() => app.close());

  test('the API is served', async () => {
    expect(await (await fetch(`${app.url}/api/agents`)).json()).toEqual([agent]);
  });

  test.each(['/', `/agent/${agent.id}`, '/nothing'])('%s is 404 in plain text', async (path) => {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('There is nothing at this address.');
  });
});

test('the page says where nobody can register', async () => {
  const closedApp = await startTestApp({ withSite: true, isRegistrationClosed: true });
  for (const path of ['/', '/nothing']) {
    expect(await (await fetch(closedApp.url + path)).text()).toBe(
      TEST_PAGE.replace('</head>', '<meta name="agent-registration" content="closed" /></head>'),
    );
  }
  await closedApp.close();
});
