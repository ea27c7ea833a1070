import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, TEST_PAGE, type TestApp } from './test-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ withSite: true });
});

afterAll(() => app.close());

test.each(['/', '/nothing', '/assets/x-abc123.js', '/api/agents', '/api/nothing', '/api/search', '/trpc/stats.get'])(
  '%s bounds what a browser does with it',
  async (path) => {
    const { headers } = await fetch(app.url + path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'self';.*frame-ancestors 'none'/);
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  },
);

test('of scripts within a page only those it was built with may run', async () => {
  const policy = (await fetch(app.url)).headers.get('content-security-policy') ?? '';
  const scripts = /script-src ([^;]+)/.exec(policy)?.[1];
  const script = /<script>(.+)<\/script>/s.exec(TEST_PAGE)?.[1] ?? '';
  expect(script).not.toBe('');
  expect(scripts).toBe(`'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
});
