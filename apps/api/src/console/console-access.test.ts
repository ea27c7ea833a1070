import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { defaultSiteConfig } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { startTestApp } from '../testing/test-app.ts';
import { openConsole, type OpenConsole } from './open-console.ts';

const PAGE = '<!doctype html><title>Console</title>';

let database: TestDatabase;
let consoleDir: string;
let opened: OpenConsole;
let token: string;
let heldId: string;

beforeAll(async () => {
  database = await engines[0].open();
  consoleDir = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  await mkdir(join(consoleDir, 'assets'));
  await writeFile(join(consoleDir, 'index.html'), PAGE);
  await writeFile(join(consoleDir, 'assets/index.js'), '1;');
  return async () => {
    await database.remove();
    await rm(consoleDir, { recursive: true });
  };
});

const context = () => ({ engine: database.engine, by: 'Ana', siteConfig: { ...defaultSiteConfig, name: 'Registry' } });
const open = (idlePeriod?: number) =>
  openConsole({
    context: context(),
    consoleDir,
    port: 0,
    onError: () => {},
    ...(idlePeriod !== undefined && { idlePeriod }),
  });

beforeEach(async () => {
  await database.empty();
  const { agent } = await createAgentStore(database.engine).register(makeNewAgent(), { isHeld: true });
  heldId = agent.id;
  opened = await open();
  token = new URL(opened.url).searchParams.get('token') ?? '';
});

afterEach(() => opened.close());

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** Sends a request with any headers, `Host` included. */
async function send(
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(opened.url);
    const sent = httpRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answer }),
        reject,
      );
    });
    sent.once('error', reject).end(body);
  });
}

async function logIn(): Promise<string> {
  const { headers } = await send(`/?token=${token}`);
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

const release = () => JSON.stringify({ verb: 'release', targets: [{ id: heldId }] });
const stateOfHeld = async () => (await createOperatorStore(database.engine).inspect(heldId))?.state;
const json = { 'content-type': 'application/json' };

test('the address with the token leads to one without it, with a cookie that no script and no other site gets', async () => {
  const { status, headers, body } = await send(`/reports?token=${token}`);
  expect({ status, location: headers.location, body }).toEqual({ status: 303, location: '/', body: '' });
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^registry-console-[\da-f]{12}=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/),
  ]);
  expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  const cookie = await logIn();
  for (const path of ['/', '/reports', '/assets/index.js']) {
    const page = await send(path, { headers: { cookie } });
    expect(page).toMatchObject({ status: 200, body: path.startsWith('/assets') ? '1;' : PAGE });
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(
        /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
      ),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(JSON.stringify(page)).not.toContain(token);
  }
});

test.each([
  ['no token', () => ['/', {}]],
  ['an empty token', () => ['/?token=', {}]],
  ['a wrong token', () => [`/?token=${'A'.repeat(43)}`, {}]],
  ['a wrong token beside the cookie', (cookie) => [`/?token=x`, { cookie }]],
  ['a wrong cookie', (cookie) => ['/', { cookie: `${cookie}x` }]],
  ['the cookie of another name', () => ['/', { cookie: `registry-console=${token}` }]],
  ['a file without the cookie', () => ['/assets/index.js', {}]],
  ['a call without the cookie', () => ['/trpc/queue.list', { 'sec-fetch-site': 'same-origin' }]],
  ['the token in a header', () => ['/', { authorization: `Bearer ${token}` }]],
] satisfies [string, (cookie: string) => [string, Record<string, string>]][])('%s is refused', async (_, toRequest) => {
  const [path, headers] = toRequest(await logIn());
  const answer = await send(path, { headers });
  expect(answer).toMatchObject({ status: 401, body: expect.stringMatching(/^Open the address .*\.$/) });
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(answer.headers['x-frame-options']).toBe('DENY');
});

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost:1:2', '10.0.0.1', '[::2]'])(
  'a request to the host "%s" is refused, also with the cookie and the token: no name is bound anew to loopback',
  async (host) => {
    const cookie = await logIn();
    const headers = { cookie, host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', ...json };
    const answers = [
      await send('/', { headers }),
      await send(`/?token=${token}`, { headers }),
      await send('/trpc/act', { method: 'POST', headers, body: release() }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await stateOfHeld()).toBe('held');
  },
);

test('a tunnel may have another port', async () => {
  const cookie = await logIn();
  for (const host of ['localhost:9999', '127.0.0.1:80', '[::1]:9999', 'localhost']) {
    const headers = { cookie, host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect(await send('/trpc/queue.list', { headers })).toMatchObject({ status: 200 });
  }
});

test.each<[string, Record<string, string>]>([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', ...json }],
  ['another site, in a browser without fetch metadata', { origin: 'https://evil.example', ...json }],
  // Cookies are sent to every port of a host.
  ['another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site', ...json }],
  ['another port, in a browser without fetch metadata', { origin: 'http://127.0.0.1:1', ...json }],
  ['a page without an origin', { origin: 'null', ...json }],
  ['a sandboxed page', { origin: 'null', 'sec-fetch-site': 'cross-site', ...json }],
  ['an address that a person typed', { 'sec-fetch-site': 'none', ...json }],
  ['a client without both headers', json],
])('a call from %s changes nothing', async (_, headers) => {
  const cookie = await logIn();
  const answer = await send('/trpc/act', {
    method: 'POST',
    headers: { ...headers, cookie },
    body: release(),
  });
  expect(answer).toMatchObject({ status: 403, body: 'Only pages of the console itself may call it.' });
  expect(await stateOfHeld()).toBe('held');
});

test('a read from another page is refused, and no answer lets one read it', async () => {
  const cookie = await logIn();
  const headers = { cookie, origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' };
  const answer = await send('/trpc/queue.list', { headers });
  expect(answer.status).toBe(403);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test('what a form can send is refused, and a call by GET changes nothing', async () => {
  const cookie = await logIn();
  const { host, origin } = new URL(opened.url);
  const own = { cookie, host, origin, 'sec-fetch-site': 'same-origin' };
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const headers = { ...own, 'content-type': type };
    const answer = await send('/trpc/act', { method: 'POST', headers, body: release() });
    expect(answer.status).toBe(415);
  }
  const path = `/trpc/act?input=${encodeURIComponent(release())}`;
  expect((await send(path, { headers: own })).status).toBe(405);
  expect(await stateOfHeld()).toBe('held');
  const headers = { ...own, ...json };
  expect(await send('/trpc/act', { method: 'POST', headers, body: release() })).toMatchObject({
    status: 200,
  });
  expect(await stateOfHeld()).toBe('listed');
});

test('errors of the console say nothing of the token, the database or the code', async () => {
  const cookie = await logIn();
  const { host, origin } = new URL(opened.url);
  const headers = { cookie, host, origin, 'sec-fetch-site': 'same-origin', ...json };
  const broken = vi.spyOn(database.engine.db, 'selectFrom').mockImplementation(() => {
    throw new Error('SELECT secret');
  });
  const answers = [
    await send('/trpc/queue.list', { headers }),
    await send('/trpc/none', { headers }),
    await send('/trpc/act', { method: 'POST', headers, body: '{' }),
    await send('/trpc/act', { method: 'POST', headers, body: '{}' }),
    await send('/trpc/act', { method: 'DELETE', headers }),
    await send('/%zz', { headers }),
  ];
  broken.mockRestore();
  for (const { status, body, headers: sent } of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).not.toMatch(/SELECT|\.ts|node_modules|stack/);
    expect(JSON.stringify([body, sent])).not.toContain(token);
  }
});

test('two consoles take neither the token nor the cookie of the other', async () => {
  const cookie = await logIn();
  const other = await open();
  const answers = [
    await fetch(other.url.replace(/token=.*/, `token=${token}`), { redirect: 'manual' }),
    await fetch(new URL('/', other.url), { headers: { cookie } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  await other.close();
});

test('it listens on one address of loopback only', async () => {
  const { port } = new URL(opened.url);
  expect(await send('/')).toMatchObject({ status: 401 });
  await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow('fetch failed');
});

test('it ends once nobody has used it for a while', async () => {
  const idle = await open(50);
  await idle.ended;
  await expect(fetch(idle.url)).rejects.toThrow('fetch failed');
});

test('requests of the operator keep it open, and those that are refused do not', async () => {
  const cookie = await logIn();
  await opened.close();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  opened = await open(1_000);
  token = new URL(opened.url).searchParams.get('token') ?? '';
  const headers = { cookie: await logIn() };
  let hasEnded = false;
  void opened.ended.then(() => (hasEnded = true));
  for (let use = 0; use < 3; use += 1) {
    vi.advanceTimersByTime(900);
    expect(await send('/', { headers })).toMatchObject({ status: 200 });
  }
  vi.advanceTimersByTime(900);
  expect(await send('/', { headers: { cookie } })).toMatchObject({ status: 401 });
  expect(hasEnded).toBe(false);
  vi.advanceTimersByTime(200);
  await opened.ended;
});

test('the public server has no path of the console', async () => {
  const app = await startTestApp({ database, withSite: true });
  const { host, origin } = new URL(app.url);
  for (const path of ['queue.list', 'reports.list', 'act', 'session']) {
    const headers = { host, origin, 'sec-fetch-site': 'same-origin', ...json };
    expect((await fetch(`${app.url}/trpc/${path}`, { headers })).status).toBe(404);
    const posted = await fetch(`${app.url}/trpc/${path}`, { method: 'POST', headers, body: release() });
    expect(posted.status).toBe(404);
  }
  expect(await stateOfHeld()).toBe('held');
  await app.close();
});
