import { randomUUID } from 'node:crypto';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { surfaceEngines, type TestDatabase } from './testing/engines.ts';
import { send, startTestApp, type TestApp } from './testing/test-app.ts';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describe.each(surfaceEngines)('views of agents over HTTP on $name', ({ open }) => {
  const agent = makeAgent();
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  beforeEach(async () => {
    app = await startTestApp({ database });
    await app.agents.load([agent]);
  });

  afterEach(async () => {
    await app.close();
  });

  afterAll(() => database.remove());

  async function monthlyViews(): Promise<unknown> {
    const stats = (await (await fetch(`${app.url}/api/stats`)).json()) as { monthlyViews: unknown };
    return stats.monthlyViews;
  }

  const readAgent = (userAgent?: string, method = 'GET') =>
    send(`${app.url}/api/agents/${agent.id}`, { method, headers: userAgent ? { 'user-agent': userAgent } : {} });

  test('each read of an agent counts one view immediately', async () => {
    expect(await monthlyViews()).toBe(0);
    await readAgent(BROWSER);
    expect(await monthlyViews()).toBe(1);
    await readAgent(BROWSER);
    expect(await monthlyViews()).toBe(2);
  });

  test.each([BROWSER, BROWSER.replace('Chrome', 'HeadlessChrome'), 'curl/8.14.1', undefined])(
    'a read by %s counts a view',
    async (userAgent) => {
      await readAgent(userAgent);
      expect(await monthlyViews()).toBe(1);
    },
  );

  test.each(['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'GPTBot/1.2'])(
    'a read by %s gets the agent but counts no view',
    async (userAgent) => {
      expect((await readAgent(userAgent)).status).toBe(200);
      expect(await monthlyViews()).toBe(0);
    },
  );

  test('HEAD counts no view', async () => {
    expect((await readAgent(BROWSER, 'HEAD')).status).toBe(200);
    expect(await monthlyViews()).toBe(0);
  });

  test.each([
    `/api/agents/${randomUUID()}`,
    '/api/agents/1',
    '/api/agents',
    '/api/agents?limit=1',
    '/api/search?q=plain',
  ])('%s reads no single agent and counts no view', async (path) => {
    await send(app.url + path, { headers: { 'user-agent': BROWSER } });
    expect(await monthlyViews()).toBe(0);
  });

  test('a read over the tRPC protocol counts a view', async () => {
    const input = encodeURIComponent(JSON.stringify({ id: agent.id }));
    expect((await fetch(`${app.url}/trpc/agents.get?input=${input}`)).status).toBe(200);
    expect(await monthlyViews()).toBe(1);
  });

  test('views survive a restart', async () => {
    await readAgent(BROWSER);
    await app.close();
    await database.reopen();
    app = await startTestApp({ database });
    expect(await monthlyViews()).toBe(1);
  });

  test('a read does not write its view to the database', async () => {
    await readAgent(BROWSER);
    expect(await app.viewStore.sum('2000-01-01')).toBe(0);
  });
});
