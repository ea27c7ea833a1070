import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Agent } from '@agent-registry/contracts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeNewAgent } from './db/test-engines.ts';
import { postJson } from './http/test-app.ts';

vi.setConfig({ testTimeout: 60_000 });

const running = new Set<ChildProcessWithoutNullStreams>();
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  file = join(folder, 'registry.db');
});

afterEach(async () => {
  for (const child of running) await stop(child, 'SIGKILL');
  await rm(folder, { recursive: true });
});

/** Starts the process in the temporary folder, with no more of an environment than is said. */
function spawnServer(env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server.ts')], {
    cwd: folder,
    env: { PORT: '0', DATABASE_URL: `file:${file}`, WEB_DIR: join(folder, 'no-web'), ...env },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts the process and waits until its log tells where it listens. */
async function startServer(env?: Record<string, string>) {
  const child = spawnServer(env);
  const errors = text(child.stderr);
  for await (const line of createInterface(child.stdout)) {
    const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (url) {
      child.stdout.resume();
      return { child, url };
    }
  }
  throw new Error(`The server did not start: ${await errors}`);
}

async function stop(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals) {
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = (await exit) as [number | null];
  return code;
}

/** Runs a process that is expected to end by itself. */
async function runServer(env?: Record<string, string>) {
  const child = spawnServer(env);
  const [exit, stderr] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)]);
  return { code: exit[0] as number | null, stderr };
}

async function getJson<Answer>(url: string): Promise<Answer> {
  return (await (await fetch(url)).json()) as Answer;
}

describe('sample data', () => {
  const countAgents = async (env: Record<string, string>) => {
    const { child, url } = await startServer(env);
    const agents = await getJson<Agent[]>(`${url}/api/agents`);
    await stop(child, 'SIGTERM');
    return agents.length;
  };

  test('is loaded into a new database, once', async () => {
    expect(await countAgents({})).toBe(42);
    expect(await countAgents({})).toBe(42);
  });

  test('is not loaded when SAMPLE_DATA is off, nor later into the database that then exists', async () => {
    expect(await countAgents({ SAMPLE_DATA: 'off' })).toBe(0);
    expect(await countAgents({ SAMPLE_DATA: 'on' })).toBe(0);
  });
});

test('settings are read from .env in the working directory, and the environment wins', async () => {
  await writeFile(join(folder, '.env'), 'SAMPLE_DATA=off\nPORT=http\n');
  const { url } = await startServer();
  expect(await getJson(`${url}/api/agents`)).toEqual([]);
});

describe('the end of the process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('at %s is clean, and the views are written', async (signal) => {
    const first = await startServer();
    const [agent] = await getJson<Agent[]>(`${first.url}/api/agents`);
    await fetch(`${first.url}/api/agents/${agent?.id}`);
    expect(await stop(first.child, signal)).toBe(0);

    const second = await startServer();
    expect(await getJson(`${second.url}/api/stats`)).toEqual({ totalAgents: 42, categories: 6, monthlyViews: 1 });
  });

  test('at SIGKILL loses no registration that was acknowledged', async () => {
    const first = await startServer({ SAMPLE_DATA: 'off' });
    const response = await postJson(`${first.url}/api/agents`, makeNewAgent());
    expect(response.status).toBe(201);
    await stop(first.child, 'SIGKILL');

    const second = await startServer();
    expect(await getJson(`${second.url}/api/agents`)).toEqual([await response.json()]);
  });
});

describe('the built web app', () => {
  test('is served from a folder that is named relative to the working directory', async () => {
    await mkdir(join(folder, 'web'));
    await writeFile(join(folder, 'web', 'index.html'), 'the page');
    const { url } = await startServer({ WEB_DIR: relative(folder, join(folder, 'web')) });
    expect(await (await fetch(url)).text()).toBe('the page');
  });
});

describe('a process that cannot start exits with 1 and one sentence', () => {
  async function expectRefusal(env: Record<string, string>, sentence: RegExp) {
    const { code, stderr } = await runServer(env);
    expect(stderr).toMatch(sentence);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(code).toBe(1);
  }

  test('for a bad setting', () => expectRefusal({ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535\.\n$/));

  test('for a host that is none', () => expectRefusal({ HOST: 'no such host' }, /no such host/));

  test('for a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expectRefusal({ PORT: String(port) }, new RegExp(`address already in use.*:${port}`));
  });

  test('for a folder in place of the database', async () => {
    await mkdir(file);
    await expectRefusal({}, /^The database .*registry\.db cannot be opened: .+\.\n$/);
  });

  test('for a text file in place of the database', async () => {
    await writeFile(file, 'This is not a database.\n'.repeat(100));
    await expectRefusal({}, /^The database .*registry\.db cannot be opened: .+\.\n$/);
  });
});
