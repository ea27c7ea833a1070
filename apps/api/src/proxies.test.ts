import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFreePort } from './start-messages.ts';
import { startServerProcess, type ServerProcess } from './testing/processes.ts';
import { postJson } from './testing/test-app.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
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

function startProcess(settings: Record<string, string>, port = '0'): Promise<ServerProcess> {
  return startServerProcess(folder, {
    PORT: port,
    DATABASE_URL: `file:${join(folder, 'registry.db')}`,
    WEB_DIR: join(folder, 'no-web'),
    ...settings,
  });
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

/** Ends each process and starts it again, one after the other, while requests are sent; gives their statuses. */
async function restartBehind(url: string, settings: Record<string, string>): Promise<Set<number>> {
  const statuses = new Set<number>();
  const restarted = new AbortController();
  const visit = async () => {
    while (!restarted.signal.aborted) {
      statuses.add((await fetch(`${url}/api/agents?limit=1`)).status);
      statuses.add((await postJson(`${url}/api/agents`, makeNewAgent())).status);
    }
  };
  const visits = Promise.all([visit(), visit()]);
  for (const [index, server] of servers.entries()) {
    expect(await server.stop('SIGTERM')).toBe(0);
    servers[index] = await startProcess(settings, new URL(server.url).port);
  }
  restarted.abort();
  await visits;
  return statuses;
}

test.skipIf(!isInstalled('caddy', 'version')).each<Record<string, string>>([{}, { SHUTDOWN_DELAY: '3000' }])(
  'behind Caddy a restart of the only process fails no request, with %o (needs Caddy)',
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
    expect(await restartBehind(url, settings)).toEqual(new Set([200, 201]));
  },
);

test.skipIf(!isInstalled('nginx', '-v'))(
  'behind nginx a restart of two processes, one after the other, fails no request (needs nginx)',
  async () => {
    servers = [await startProcess({}), await startProcess({})];
    const port = await findFreePort(18_180);
    const site = (await readFile(join(DEPLOY, 'nginx.conf'), 'utf8'))
      // The server that redirects to https, and the certificate of the other.
      .replace(/^server \{\n {2}listen 80;.*?^\}/ms, '')
      .replaceAll(/^ {2}(?:listen|ssl_certificate)\w* .*$/gm, '')
      .replace('server_name registry.example;', `listen 127.0.0.1:${port};`)
      .replace('127.0.0.1:3000', new URL(servers[0]!.url).host)
      .replace('127.0.0.1:3001', new URL(servers[1]!.url).host);
    const path = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder};`,
    );
    const http = ['access_log off;', ...temporary, site].join('\n');
    await mkdir(join(folder, 'logs'));
    await writeFile(path, `daemon off;\npid ${folder}/nginx.pid;\nevents {}\nhttp {\n${http}\n}\n`);
    const url = `http://127.0.0.1:${port}`;
    await startProxy(url, 'nginx', ['-e', join(folder, 'error.log'), '-p', folder, '-c', path]);
    expect(await restartBehind(url, {})).toEqual(new Set([200, 201]));
  },
);
