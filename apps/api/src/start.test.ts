import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startServerProcess } from './testing/processes.ts';

const START = join(import.meta.dirname, 'start.ts');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
});

afterEach(() => rm(folder, { recursive: true }));

const environment = (env: Record<string, string> = {}) => ({
  PORT: '0',
  SHUTDOWN_DELAY: '0',
  DATABASE_URL: `file:${join(folder, 'registry.db')}`,
  WEB_DIR: join(folder, 'no-web'),
  ...env,
});

async function start(env?: Record<string, string>) {
  const server = await startServerProcess(folder, environment(env), [], START);
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  return server;
}

/** What a running process was started with, and the variables it was given. */
async function inspect(pid: number): Promise<{ command: string[]; variables: string[] }> {
  const read = async (name: string) => (await readFile(`/proc/${pid}/${name}`, 'utf8')).split('\0').slice(0, -1);
  return { command: await read('cmdline'), variables: await read('environ') };
}

describe.skipIf(process.platform !== 'linux')('the server, once started', () => {
  test('has the place and the signals of what started it, and saves memory', async () => {
    const server = await start();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const { command, variables } = await inspect(server.pid);
    expect(command).toEqual([
      process.execPath,
      '--max-semi-space-size=2',
      '--heap-growing-percent=20',
      '--no-maglev',
      '--v8-pool-size=1',
      join(import.meta.dirname, 'server.ts'),
    ]);
    expect(variables).toEqual(expect.arrayContaining(['MALLOC_TRIM_THRESHOLD_=131072', 'MALLOC_ARENA_MAX=1']));
    expect(await server.stop('SIGTERM')).toBe(0);
  });

  test('leaves a variable alone that is set', async () => {
    const { variables } = await inspect((await start({ MALLOC_ARENA_MAX: '8' })).pid);
    expect(variables).toEqual(expect.arrayContaining(['MALLOC_TRIM_THRESHOLD_=131072', 'MALLOC_ARENA_MAX=8']));
  });

  test('has workers that save memory too', async () => {
    const server = await start({ WORKERS: '2' });
    const pids = new Set(server.log.map((line) => (JSON.parse(line) as { pid: number }).pid));
    pids.delete(server.pid);
    expect(pids.size).toBeGreaterThan(0);
    for (const pid of pids) {
      const { command, variables } = await inspect(pid);
      expect(command).toContain('--heap-growing-percent=20');
      expect(variables).toContain('MALLOC_ARENA_MAX=1');
    }
    expect(await server.stop('SIGTERM')).toBe(0);
  });
});

test('a server whose parent talks with it stays in its process', async () => {
  const child = fork(START, { cwd: folder, env: environment(), stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  // Before it listens it may say that there is no web app, and does not hear signals yet.
  let line = '';
  for await (line of createInterface(child.stdout as NonNullable<typeof child.stdout>)) if (/http:/.test(line)) break;
  expect(line).toContain(`"pid":${child.pid},`);
  expect(child.connected).toBe(true);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
