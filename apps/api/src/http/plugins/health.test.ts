import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DatabaseUnavailableError } from '../../database-error.ts';
import { makeFailingStore, send, startTestApp, type TestApp } from '../../testing/test-app.ts';

describe('an application with a working database', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ withSite: true });
  });

  afterAll(() => app.close());

  test.each([
    ['/healthz', 'alive'],
    ['/readyz', 'ready'],
  ])('%s is 200 "%s" and not cached', async (path, word) => {
    const { status, headers, body } = await send(app.url + path);
    expect({ status, body }).toEqual({ status: 200, body: word });
    expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    expect((await send(app.url + path, { method: 'HEAD' })).status).toBe(200);
  });
});

test('health checks, files and small bodies are sent while too many bytes wait for slow clients', async () => {
  const app = await startTestApp({ withSite: true, slowClients: { pendingBytes: 1 } });
  onTestFinished(() => app.close());
  for (const path of ['/healthz', '/readyz', '/assets/x-abc123.js', '/api/stats', '/']) {
    expect({ path, status: (await send(app.url + path)).status }).toEqual({ path, status: 200 });
  }
  expect((await send(`${app.url}/api/openapi.json`)).status).toBe(503);
});

test('an application without a working database is alive and not ready', async () => {
  const app = await startTestApp({ agents: makeFailingStore(new DatabaseUnavailableError('The disk is gone')) });
  expect((await send(`${app.url}/healthz`)).status).toBe(200);
  const { status, headers, body } = await send(`${app.url}/readyz`);
  await app.close();
  expect(status).toBe(503);
  expect(headers['retry-after']).toBe('5');
  expect(body).toMatch(/^[A-Z].+\.$/);
  expect(body).not.toContain('disk');
});
