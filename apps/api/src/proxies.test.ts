import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createManagementKey, toAgentPath } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFreePort } from './start-messages.ts';
import { startServerProcess, type ServerProcess } from './testing/processes.ts';
import { postJson, send } from './testing/test-app.ts';
import { runsAll } from './testing/tier.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const webDir = join(import.meta.dirname, '../../web/dist');
const isInstalled = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

let folder: string;
let servers: ServerProcess[];
let proxy: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  servers = [];
});

afterEach(async () => {
  if (proxy && proxy.exitCode === null) {
    const exit = once(proxy, 'exit');
    proxy.kill();
    await exit;
  }
  for (const server of servers) await server.stop('SIGKILL');
  await rm(folder, { recursive: true });
});

/** Starts a server, by default without pages. */
function startProcess(
  settings: Record<string, string>,
  { port = '0', webDir = join(folder, 'no-web') } = {},
): Promise<ServerProcess> {
  const env = { PORT: port, DATABASE_URL: `file:${join(folder, 'registry.db')}`, ...settings };
  return startServerProcess(folder, env, { options: { webDir } });
}

/** Starts a proxy with the file of `deploy`, and waits until it leads to a server. */
async function startProxy(url: string, command: string, args: string[], env: Record<string, string> = {}) {
  proxy = spawn(command, args, { env: { ...process.env, ...env, HOME: folder }, stdio: 'ignore' });
  await once(proxy, 'spawn');
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: 10_000 }).toBe(true);
}

type Restart = {
  /** The statuses of all reads. */
  reads: Set<number>;
  /** The names of registrations that were refused, because they came at the moment at which a process stopped to listen. */
  refused: string[];
};

/** Ends each process and starts it again, one after the other, while visitors read and register. */
async function restartBehind(url: string, settings: Record<string, string>): Promise<Restart> {
  const restart: Restart = { reads: new Set(), refused: [] };
  const restarted = new AbortController();
  const visit = async () => {
    while (!restarted.signal.aborted) {
      restart.reads.add((await fetch(`${url}/api/agents?limit=1`)).status);
      const name = `Agent ${crypto.randomUUID()}`;
      const { status } = await postJson(`${url}/api/agents`, makeNewAgent({ name }));
      if (status !== 201) restart.refused.push(name);
    }
  };
  const visits = Promise.all([visit(), visit()]);
  for (const [index, server] of servers.entries()) {
    expect(await server.stop('SIGTERM')).toBe(0);
    servers[index] = await startProcess(settings, { port: new URL(server.url).port });
  }
  restarted.abort();
  await visits;
  return restart;
}

/** Requests whose end a proxy and the server could see at different places; the rest would be another visitor's. */
const ambiguous = [
  ['Content-Length: 6', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: 6'],
  ['Content-Length: 0', 'Content-Length: 6'],
  ['Content-Length: 0, 6'],
  ['Content-Length: +6'],
  ...['xchunked', 'chunked, identity', 'identity, chunked', '\u000Bchunked', '"chunked"', 'chunked\r\n ,identity'].map(
    (coding) => [`Transfer-Encoding: ${coding}`, 'Content-Length: 6'],
  ),
  ['Transfer-Encoding : chunked', 'Content-Length: 6'],
  [' Transfer-Encoding: chunked', 'Content-Length: 6'],
  ['X: y\nTransfer-Encoding: chunked', 'Content-Length: 6'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
].flatMap((headers) =>
  ['0\r\n\r\n', '0;a\n\r\n', '0\n\n', '00000000000000000\r\n\r\n'].map((end) => ({ headers, end })),
);

/** Expects that every visitor behind a proxy gets the answer to the own request, whatever others send. */
async function expectOwnAnswers(url: string): Promise<void> {
  const { host, port } = new URL(url);
  for (const { headers, end } of ambiguous) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    const lines = ['POST /api/agents HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json', ...headers];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${end}GET /api/smuggled HTTP/1.1\r\nX: `);
    await Promise.race([once(socket, 'data'), once(socket, 'close'), wait(100)]);
    const answers = await Promise.all([1, 2, 3].map(() => fetch(`${url}/readyz`)));
    expect([headers, end, ...answers.map(({ status }) => status)]).toEqual([headers, end, 200, 200, 200]);
    socket.destroy();
  }
}

/** Expects that every read succeeded, and that no refused registration was stored: there is one such moment a process. */
async function expectNothingLost(url: string, { reads, refused }: Restart): Promise<void> {
  expect(reads).toEqual(new Set([200]));
  expect(refused.length).toBeLessThanOrEqual(2 * servers.length);
  const agents = (await (await fetch(`${url}/api/agents`)).json()) as { name: string }[];
  expect(agents.filter(({ name }) => refused.includes(name))).toEqual([]);
}

test
  .skipIf(!runsAll || !isInstalled('caddy', 'version'))
  .each<Record<string, string>>([{}, { SHUTDOWN_DELAY: '3000' }])(
  'behind Caddy a restart of the only process fails no read and loses no registration, and nobody gets the answer of another, with %o (needs Caddy)',
  async (settings) => {
    servers = [await startProcess(settings)];
    const url = `http://127.0.0.1:${await findFreePort(18_080)}`;
    const path = join(folder, 'Caddyfile');
    const options = '{\n\tadmin off\n}\n';
    await writeFile(path, options + (await readFile(join(DEPLOY, 'Caddyfile'), 'utf8')));
    await startProxy(url, 'caddy', ['run', '--adapter', 'caddyfile', '--config', path], {
      PUBLIC_URL: url,
      UPSTREAMS: new URL(servers[0]!.url).host,
    });
    await expectNothingLost(url, await restartBehind(url, settings));
    await expectOwnAnswers(url);
  },
);

/** Starts nginx with the file of `deploy` before the servers. */
async function startNginx(port: number): Promise<string> {
  const [first, second = first] = servers.map(({ url }) => new URL(url).host);
  const site = (await readFile(join(DEPLOY, 'nginx.conf'), 'utf8'))
    // The server that redirects to https, and the certificate of the other.
    .replace(/^server \{\n {2}listen 80;.*?^\}/ms, '')
    .replaceAll(/^ {2}(?:listen|ssl_certificate)\w* .*$/gm, '')
    .replace('server_name registry.example;', `listen 127.0.0.1:${port};`)
    .replace('/var/cache', folder)
    .replace('127.0.0.1:3000', first ?? '')
    .replace('127.0.0.1:3001', second ?? '');
  const path = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const http = ['access_log off;', ...temporary, site].join('\n');
  await mkdir(join(folder, 'logs'));
  // Its cache is in a folder that only this user may enter.
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  await writeFile(path, `${user}daemon off;\npid ${folder}/nginx.pid;\nevents {}\nhttp {\n${http}\n}\n`);
  const url = `http://127.0.0.1:${port}`;
  await startProxy(url, 'nginx', ['-e', join(folder, 'error.log'), '-p', folder, '-c', path]);
  return url;
}

const hasNginx = runsAll && isInstalled('nginx', '-v');

test.skipIf(!hasNginx)(
  'behind nginx a restart of two processes, one after the other, fails no read and loses no registration, and nobody gets the answer of another (needs nginx)',
  async () => {
    servers = [await startProcess({}), await startProcess({})];
    const url = await startNginx(await findFreePort(18_180));
    await expectNothingLost(url, await restartBehind(url, {}));
    await expectOwnAnswers(url);
  },
);

test.skipIf(!hasNginx)(
  'nginx keeps pages apart from Markdown and owners’ reads, serves a stale one while it is renewed, and no withdrawn agent after twice the time (needs nginx and the built pages)',
  async () => {
    const port = await findFreePort(18_280);
    const publicUrl = `http://127.0.0.1:${port}`;
    const settings = { PUBLIC_URL: publicUrl, TRUST_PROXY: 'loopback', SHARED_CACHE_SECONDS: '1' };
    servers = [await startProcess(settings, { webDir })];
    const url = await startNginx(port);
    const read = async (path: string, headers = {}) => {
      const response = await fetch(url + path, { headers });
      await response.text();
      const names = ['x-cache', 'content-type', 'cache-control'];
      const [cache, type = '', control] = names.map((name) => response.headers.get(name) ?? undefined);
      return { status: response.status, cache, type: type.split(';')[0], control };
    };
    const key = createManagementKey();
    const register = async () => {
      const response = await postJson(`${url}/api/agents`, makeNewAgent(), { 'management-key': key });
      return ((await response.json()) as { id: string }).id;
    };
    const [kept, withdrawn] = [await register(), await register()];

    const page = toAgentPath(kept);
    const markdown = { accept: 'text/markdown' };
    const html = { status: 200, type: 'text/html' };
    expect(await read(page)).toMatchObject({ ...html, cache: 'MISS' });
    expect(await read(page)).toMatchObject({ ...html, cache: 'HIT' });
    expect(await read(page, markdown)).toMatchObject({ cache: 'MISS', type: 'text/markdown' });
    expect(await read(page)).toMatchObject(html);
    expect((await read(page, markdown)).type).toBe('text/markdown');
    const entry = `/api/agents/${withdrawn}`;
    const asOwner = { authorization: `Bearer ${key}` };
    await read(entry);
    for (let round = 0; round < 2; round += 1) {
      expect(await read(entry, asOwner)).toMatchObject({ status: 200, control: 'private, no-store' });
    }
    await expect.poll(async () => (await read(page)).cache, { interval: 100 }).toBe('STALE');
    await expect.poll(async () => (await read(page)).cache, { interval: 100 }).toBe('HIT');

    expect((await fetch(url + entry, { method: 'DELETE', headers: asOwner })).ok).toBe(true);
    // nginx counts whole seconds.
    await wait(3_100);
    expect((await read(entry)).status).toBe(410);
    expect(await read(page)).toMatchObject({ ...html, cache: 'REVALIDATED' });

    const readAs = async (host: string) => (await send(`${url}/llms.txt`, { headers: { host } })).headers['x-cache'];
    for (const host of ['stranger.example', 'registry.example']) {
      expect([host, await readAs(host), await readAs(host)]).toEqual([host, 'MISS', 'HIT']);
    }
  },
);
