import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, TEST_PAGE, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';

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
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\)/);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'self';.*frame-ancestors 'none'/);
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  },
);

test('the policy allows only the inline scripts of the build', async () => {
  const policy = (await fetch(app.url)).headers.get('content-security-policy') ?? '';
  const scripts = /script-src ([^;]+)/.exec(policy)?.[1];
  const script = /<script>(.+)<\/script>/s.exec(TEST_PAGE)?.[1] ?? '';
  expect(script).not.toBe('');
  expect(scripts).toBe(`'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
});

test.each<[string, TestAppOptions['TRUST_PROXY'], string, string | null]>([
  ['https, as a trusted proxy says', ['loopback'], 'https', 'max-age=31536000'],
  ['https, as the first of so many proxies says', 1, 'https', 'max-age=31536000'],
  ['http, as a trusted proxy says', ['loopback'], 'http', null],
  ['https, as the first of several proxies says', ['loopback'], 'https, http', 'max-age=31536000'],
  ['https, as somebody says who is not trusted', undefined, 'https', null],
  ['https, as another than the trusted proxy says', ['10.0.0.0/8'], 'https', null],
])(
  'Strict-Transport-Security depends on the protocol of the client: %s',
  async (_what, TRUST_PROXY, protocol, promise) => {
    const behindProxy = await startTestApp({ TRUST_PROXY });
    for (const path of ['/api/stats', '/api/nothing', '/trpc/stats.get']) {
      const { headers } = await fetch(behindProxy.url + path, { headers: { 'x-forwarded-proto': protocol } });
      expect(headers.get('strict-transport-security')).toBe(promise);
    }
    await behindProxy.close();
  },
);

test('Strict-Transport-Security is not sent without a trusted proxy', async () => {
  expect((await fetch(app.url)).headers.get('strict-transport-security')).toBeNull();
});
