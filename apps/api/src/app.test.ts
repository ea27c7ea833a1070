import { randomUUID } from 'node:crypto';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { engines, type TestDatabase } from './testing/engines.ts';
import { send, startTestApp, type TestApp } from './testing/test-app.ts';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describe.each(engines)('views of agents over HTTP, on $name', ({ open }) => {
  const agent = makeAgent();
  let database: TestDatabase;
  let app: TestApp;

  beforeEach(async () => {
    database = await open();
    app = await startTestApp({ database, withSite: true });
    await app.agents.load([agent]);
  });

  afterEach(async () => {
    await app.close();
    await database.remove();
  });

  async function monthlyViews(): Promise<unknown> {
    const stats = (await (await fetch(`${app.url}/api/stats`)).json()) as { monthlyViews: unknown };
    return stats.monthlyViews;
  }

  const readAgent = (userAgent?: string, method = 'GET') =>
    send(`${app.url}/api/agents/${agent.id}`, { method, headers: userAgent ? { 'user-agent': userAgent } : {} });

  test('are counted at once, one for each read', async () => {
    expect(await monthlyViews()).toBe(0);
    await readAgent(BROWSER);
    expect(await monthlyViews()).toBe(1);
    await readAgent(BROWSER);
    expect(await monthlyViews()).toBe(2);
  });

  test.each([BROWSER, BROWSER.replace('Chrome', 'HeadlessChrome'), 'curl/8.14.1', undefined])(
    'are counted for %s',
    async (userAgent) => {
      await readAgent(userAgent);
      expect(await monthlyViews()).toBe(1);
    },
  );

  test.each(['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'GPTBot/1.2'])(
    'are not counted for %s, which is answered all the same',
    async (userAgent) => {
      expect((await readAgent(userAgent)).status).toBe(200);
      expect(await monthlyViews()).toBe(0);
    },
  );

  test('are not counted for HEAD', async () => {
    expect((await readAgent(BROWSER, 'HEAD')).status).toBe(200);
    expect(await monthlyViews()).toBe(0);
  });

  test.each([
    `/api/agents/${randomUUID()}`,
    '/api/agents/1',
    '/api/agents',
    '/api/agents?limit=1',
    '/api/search?q=plain',
  ])('are not counted for %s, which reads no single agent', async (path) => {
    await send(app.url + path, { headers: { 'user-agent': BROWSER } });
    expect(await monthlyViews()).toBe(0);
  });

  test('are counted for reads over the tRPC protocol', async () => {
    const input = encodeURIComponent(JSON.stringify({ id: agent.id }));
    expect((await fetch(`${app.url}/trpc/agents.get?input=${input}`)).status).toBe(200);
    expect(await monthlyViews()).toBe(1);
  });

  test('outlive the process', async () => {
    await readAgent(BROWSER);
    await app.close();
    await database.reopen();
    app = await startTestApp({ database });
    expect(await monthlyViews()).toBe(1);
  });

  test('are not written by the read itself', async () => {
    await readAgent(BROWSER);
    expect(await app.viewStore.sum('2000-01-01')).toBe(0);
  });
});
