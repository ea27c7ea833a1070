import { afterAll, beforeAll, describe, expect, test, onTestFinished } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { sendBytes, startTestApp, type TestApp, send, type TestAppOptions } from '../../testing/test-app.ts';

const agent = makeAgent();
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ withSite: true });
  await app.agents.load([agent]);
});

afterAll(() => app.close());

/** Sends a request with these lines; returns the status and the body. */
async function ask(...lines: string[]): Promise<string> {
  const answer = await sendBytes(app.url, [...lines, 'Connection: close', '', ''].join('\r\n'));
  const [head = '', body] = answer.split('\r\n\r\n');
  return `${head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)} ${body}`;
}

describe('a Host', () => {
  test.each(['a b', 'user@real.example', 'x/y', 'real.example:http', 'a"b', "a'b", '<x>', 'x:99999', '[::1', ''])(
    'of %j is refused',
    async (host) => {
      expect(await ask('GET /api/stats HTTP/1.1', `Host: ${host}`)).toBe('400 The Host header is not a valid host.');
    },
  );

  test.each(['x', 'real.example:8080', '127.0.0.1', '[::1]:3000', 'REAL.example'])(
    'of %s is accepted',
    async (host) => {
      expect(await ask('GET /api/stats HTTP/1.1', `Host: ${host}`)).toMatch(/^200 /);
    },
  );

  test.each(['real.example', 'other.example'])(
    'is refused when it is sent twice, the second being %s',
    async (host) => {
      expect(await ask('GET / HTTP/1.1', 'Host: real.example', `Host: ${host}`)).toBe(
        '400 The request has more than one Host header.',
      );
    },
  );

  test('is optional only in HTTP/1.0', async () => {
    expect(await ask('GET /api/stats HTTP/1.0')).toMatch(/^200 /);
    expect(await ask('GET /api/stats HTTP/1.1')).toBe('400 The request has no Host header.');
  });
});

describe('a target in absolute form', () => {
  test.each([
    ['http://real.example/', '/'],
    ['http://real.example', '/'],
    ['HTTP://real.example?q=x', '/?q=x'],
    [`http://real.example/agent/${agent.id}`, `/agent/${agent.id}`],
  ])('(%s) is served as the page %s of its host', async (target, url) => {
    const answer = await ask(`GET ${target} HTTP/1.1`, 'Host: other.example');
    expect(answer).toMatch(/^200 /);
    expect(answer).toContain(JSON.stringify({ url, origin: 'http://real.example' }).slice(0, -1));
  });

  test('is served by the API, too', async () => {
    const target = `http://real.example/api/agents/${agent.id}`;
    expect(await ask(`GET ${target} HTTP/1.1`, 'Host: real.example')).toBe(`200 ${JSON.stringify(agent)}`);
  });

  test('with an invalid host is refused', async () => {
    expect(await ask('GET http://user@real.example/ HTTP/1.1', 'Host: real.example')).toMatch(/^400 /);
  });
});

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
  ['Host, with the protocol of a trusted proxy', { TRUST_PROXY: ['loopback'] }, 'https://registry.example'],
  ['Host, if proxies are counted', { TRUST_PROXY: 1 }, 'https://registry.example'],
  ['Host, if the sender is no trusted proxy', { TRUST_PROXY: ['10.0.0.0/8'] }, 'http://registry.example'],
  ['Host, without a proxy', {}, 'http://registry.example'],
  ['PUBLIC_URL, if set', { TRUST_PROXY: 1, PUBLIC_URL: 'https://public.example' }, 'https://public.example'],
])('the origin of pages is that of %s', async (_origin, options, expected) => {
  const { url } = await start(options);
  const origins = await readOrigins(url, headers);
  expect(origins.length).toBeGreaterThanOrEqual(4);
  expect(new Set(origins)).toEqual(new Set([expected]));
});

test.each([
  ['https', 'https'],
  ['HTTPS', 'https'],
  ['https,http', 'https'],
  ['https, http', 'https'],
  [' Https , HTTP', 'https'],
  ['http, https', 'http'],
  ['HTTP', 'http'],
])('with X-Forwarded-Proto: %j pages are those of %s', async (protocol, expected) => {
  const { url } = await start({ TRUST_PROXY: ['loopback'] });
  const origins = await readOrigins(url, { host: 'registry.example', 'x-forwarded-proto': protocol });
  expect(new Set(origins)).toEqual(new Set([`${expected}://registry.example`]));
});

test('a page requested with X-Forwarded-Host leaves the page of other visitors alone', async () => {
  const { url } = await start({ TRUST_PROXY: ['loopback'] });
  const { 'x-forwarded-host': _host, ...ordinary } = headers;
  const poisoned = await send(`${url}/`, { headers });
  const page = await send(`${url}/`, { headers: ordinary });
  expect(poisoned.body).toBe(page.body);
  expect(poisoned.headers.etag).toBe(page.headers.etag);
});

test('pages of two origins have two ETags', async () => {
  const { url } = await start({ TRUST_PROXY: ['loopback'] });
  const { etag = '' } = (await send(`${url}/`, { headers })).headers;
  const other = { ...headers, host: 'other.example', 'if-none-match': etag };
  expect((await send(`${url}/`, { headers: other })).status).toBe(200);
});

test.each<[string, TestAppOptions, string[]]>([
  ['one with TRUST_PROXY and without PUBLIC_URL', { TRUST_PROXY: 1 }, [WARNING]],
  ['none with both', { TRUST_PROXY: 1, PUBLIC_URL: 'https://registry.example' }, []],
  ['none with neither', {}, []],
])('the start logs a warning: %s', async (_when, options, expected) => {
  const lines: string[] = [];
  await start({ ...options, logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } });
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(expected);
});
