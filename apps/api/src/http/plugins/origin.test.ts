import { expect, onTestFinished, test } from 'vitest';
import { send, startTestApp, type TestAppOptions } from '../../testing/test-app.ts';

const WARNING =
  "TRUST_PROXY is set without PUBLIC_URL, so pages and sitemaps name the host that each request names; set PUBLIC_URL to the registry's public address.";

async function start(options: TestAppOptions) {
  const app = await startTestApp({ withSite: true, ...options });
  onTestFinished(() => app.close());
  return app;
}

/** The origin that every page and the sitemap name. */
async function readOrigins(url: string, headers: Record<string, string>): Promise<string[]> {
  const bodies = await Promise.all(
    ['/', '/nowhere', '/sitemap.xml', '/robots.txt'].map(async (path) => (await send(url + path, { headers })).body),
  );
  return bodies.flatMap((body) => [...body.matchAll(/https?:\/\/[\w-]+\.example/g)].map(([origin]) => origin));
}

const headers = {
  host: 'registry.example',
  'x-forwarded-host': 'attacker.example',
  'x-forwarded-proto': 'https',
};

test.each<[string, TestAppOptions, string]>([
  ['Host, with the protocol of a trusted proxy', { trustProxy: ['loopback'] }, 'https://registry.example'],
  ['Host, if proxies are counted', { trustProxy: 1 }, 'https://registry.example'],
  [
    'X-Forwarded-Host of a trusted proxy, if asked for',
    { trustProxy: ['loopback'], trustForwardedHost: true },
    'https://attacker.example',
  ],
  [
    'Host, if the sender is no trusted proxy',
    { trustProxy: ['10.0.0.0/8'], trustForwardedHost: true },
    'http://registry.example',
  ],
  ['Host, without a proxy', {}, 'http://registry.example'],
  ['PUBLIC_URL, if set', { trustProxy: 1, publicUrl: 'https://public.example' }, 'https://public.example'],
])('the origin of pages is that of %s', async (_origin, options, expected) => {
  const { url } = await start(options);
  const origins = await readOrigins(url, headers);
  expect(origins.length).toBeGreaterThanOrEqual(4);
  expect(new Set(origins)).toEqual(new Set([expected]));
});

test('a page requested with X-Forwarded-Host leaves the page of other visitors alone', async () => {
  const { url } = await start({ trustProxy: ['loopback'] });
  const { 'x-forwarded-host': _host, ...ordinary } = headers;
  const poisoned = await send(`${url}/`, { headers });
  const page = await send(`${url}/`, { headers: ordinary });
  expect(poisoned.body).toBe(page.body);
  expect(poisoned.headers.etag).toBe(page.headers.etag);
});

test('pages of two origins have two ETags', async () => {
  const { url } = await start({ trustProxy: ['loopback'] });
  const { etag = '' } = (await send(`${url}/`, { headers })).headers;
  const other = { ...headers, host: 'other.example', 'if-none-match': etag };
  expect((await send(`${url}/`, { headers: other })).status).toBe(200);
});

test.each<[string, TestAppOptions, string[]]>([
  ['one with TRUST_PROXY and without PUBLIC_URL', { trustProxy: 1 }, [WARNING]],
  ['none with both', { trustProxy: 1, publicUrl: 'https://registry.example' }, []],
  ['none with neither', {}, []],
])('the start logs a warning: %s', async (_when, options, expected) => {
  const lines: string[] = [];
  await start({ ...options, logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } });
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(expected);
});
