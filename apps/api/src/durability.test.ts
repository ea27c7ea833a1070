import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { logOptions } from './observability/logger.ts';
import { engines, type TestDatabase } from './testing/engines.ts';
import { postJson, startTestApp, type TestApp } from './testing/test-app.ts';
import { runServerProcess, startServerProcess, type ServerProcess } from './testing/processes.ts';
import { rounds, runsAll } from './testing/tier.ts';

const CLIENTS = 4;

vi.setConfig({ testTimeout: 120_000 + rounds * 10_000 });

let folder: string;
let server: ServerProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  await mkdir(join(folder, 'data'));
});

afterEach(async () => {
  await server?.stop('SIGKILL');
  await rm(folder, { recursive: true });
});

const environment = () => ({
  PORT: '0',
  SAMPLE_DATA: 'off',
  SHUTDOWN_DELAY: '0',
  DATABASE_URL: `file:${join(folder, 'data', 'registry.db')}`,
});

/** Without pages, and under a command if one is given. */
const underCommand = (wrapper?: readonly string[]) => ({ wrapper, options: { webDir: join(folder, 'no-web') } });

async function start(wrapper?: readonly string[]): Promise<ServerProcess> {
  server = await startServerProcess(folder, environment(), underCommand(wrapper));
  return server;
}

const register = ({ url }: { url: string }, name: string) =>
  postJson(`${url}/api/agents`, makeNewAgent({ name, description: 'd'.repeat(2_000) }));

async function list({ url }: { url: string }, path = '/api/agents'): Promise<Agent[]> {
  return (await (await fetch(url + path)).json()) as Agent[];
}

/** The result of SQLite's integrity check of a file and its search index: `ok` or a fault. */
function checkIntegrity(file: string): unknown {
  const database = new SQLite(file);
  try {
    database.exec("INSERT INTO agent_tokens (agent_tokens) VALUES ('integrity-check')");
    return database.pragma('integrity_check', { simple: true });
  } finally {
    database.close();
  }
}

test('a process that is killed repeatedly loses no acknowledged agent and duplicates none', async () => {
  const acknowledged = new Map<string, Agent>();
  let running = await start();
  for (let round = 0; round < rounds; round += 1) {
    const target = running;
    const before = acknowledged.size;
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let index = 0; ; index += 1) {
        const response = await register(target, `Round${round} client${client} agent${index}`).catch(() => undefined);
        const agent = (await response?.json().catch(() => undefined)) as Agent | undefined;
        if (!agent) return;
        acknowledged.set(agent.id, agent);
      }
    });
    await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 10);
    await wait(randomInt(300));
    await target.stop('SIGKILL');
    await Promise.all(clients);

    running = await start();
    const stored = await list(running);
    const byId = new Map(stored.map((agent) => [agent.id, agent]));
    expect(byId.size).toBe(stored.length);
    expect(new Set(stored.map(({ name }) => name)).size).toBe(stored.length);
    expect([...acknowledged.values()].filter(({ id }) => !byId.has(id))).toEqual([]);
    const last = [...acknowledged.values()].at(-1)!;
    expect(byId.get(last.id)).toEqual(last);
    expect(await list(running, `/api/search?q=${encodeURIComponent(last.name)}`)).toContainEqual(last);
    expect(await (await fetch(`${running.url}/api/stats`)).json()).toMatchObject({ totalAgents: stored.length });
  }
  await running.stop('SIGKILL');
  expect(checkIntegrity(join(folder, 'data', 'registry.db'))).toBe('ok');
});

/** A condition that makes writes fail, put and removed from outside while the server runs. */
type Obstacle = {
  name: string;
  /** The required support of the machine. */
  needs: string;
  isPossible: () => boolean;
  /** The command that starts the server in a prepared environment. */
  wrapper?: () => readonly string[];
  put?: (server: ServerProcess) => void;
  remove: (server: ServerProcess) => Promise<void> | void;
  /** The folder of the database as the test sees it. */
  files?: (server: ServerProcess) => string;
};

const isDone = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const dataFolder = () => join(folder, 'data');
const databaseFiles = () => ['registry.db', 'registry.db-wal'].map((name) => join(dataFolder(), name));
/** Runs a mount script on the database folder in a namespace of the server's own. */
const mounting = (script: string) => ['unshare', '-rm', 'sh', '-c', `${script} && exec "$@"`, dataFolder()];
const canMount = () => isDone('unshare', '-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir());

const obstacles: Obstacle[] = [
  {
    name: 'a full disk',
    needs: 'mounts in a namespace',
    isPossible: canMount,
    wrapper: () => mounting('mount -t tmpfs -o size=8m tmpfs "$0" && head -c 3000000 /dev/zero > "$0/filler"'),
    remove: ({ pid }) => rm(join(`/proc/${pid}/root`, dataFolder(), 'filler')),
    files: ({ pid }) => join(`/proc/${pid}/root`, dataFolder()),
  },
  {
    name: 'a file that may not grow',
    needs: 'prlimit',
    isPossible: () => isDone('prlimit', '--version'),
    put: ({ pid }) => {
      const size = Math.max(...databaseFiles().map((file) => statSync(file).size));
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`]);
    },
    remove: ({ pid }) => void execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited']),
  },
  {
    name: 'a file that has become read-only',
    needs: 'the right to chattr +i',
    isPossible: () => isDone('sh', '-c', 'f=$(mktemp) && chattr +i "$f" && chattr -i "$f" && rm "$f"'),
    put: () => void execFileSync('chattr', ['+i', ...databaseFiles()]),
    remove: () => void execFileSync('chattr', ['-i', ...databaseFiles()]),
  },
];

describe.each(runsAll ? obstacles : obstacles.slice(0, 1))(
  '$name (needs $needs)',
  ({ isPossible, wrapper, put, remove, files = dataFolder }) => {
    test.skipIf(!isPossible())(
      'is 503 with a sentence, writes nothing partially and recovers without a restart',
      async () => {
        const target = await start(wrapper?.());
        const acknowledged: unknown[] = [];
        const registerNext = async () => {
          const response = await register(target, `Agent${acknowledged.length}`);
          if (response.status === 201) acknowledged.unshift(await response.clone().json());
          return response;
        };
        for (let index = 0; index < 20; index += 1) expect((await registerNext()).status).toBe(201);
        put?.(target);
        try {
          let refusal = await registerNext();
          for (let tries = 0; refusal.status === 201 && tries < 2_000; tries += 1) refusal = await registerNext();
          expect(refusal.status).toBe(503);
          expect(refusal.headers.get('retry-after')).toBe('60');
          expect(await refusal.text()).toBe(
            'The registry can be read, but cannot store anything for the moment; please try again later.',
          );
          // A checkpoint may make room for another one.
          let refusals: Response[] = [refusal];
          for (let tries = 0; tries < 20; tries += 1) {
            refusals = await Promise.all(Array.from({ length: 10 }, registerNext));
            if (refusals.every(({ status }) => status === 503)) break;
          }
          expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 503));

          const byId = (a: unknown, b: unknown) => ((a as Agent).id < (b as Agent).id ? -1 : 1);
          expect((await list(target)).toSorted(byId)).toEqual(acknowledged.toSorted(byId));
          expect((await fetch(`${target.url}/readyz`)).status).toBe(200);
        } finally {
          await remove(target);
        }
        expect((await registerNext()).status).toBe(201);
        expect(await (await fetch(`${target.url}/api/stats`)).json()).toMatchObject({
          totalAgents: acknowledged.length,
        });
        for (const name of ['registry.db', 'registry.db-wal'])
          await copyFile(join(files(target), name), join(folder, name));
        expect(checkIntegrity(join(folder, 'registry.db'))).toBe('ok');
        expect(await target.stop('SIGTERM')).toBe(0);
      },
    );
  },
);

describe('an open database file', () => {
  let database: TestDatabase;
  let app: TestApp;
  let log: string[];
  /** The folder of the file. */
  let data: string;

  beforeEach(async () => {
    database = await engines[0].open();
    data = dirname(database.url.replace(/^file:/, ''));
    log = [];
    const logger = { ...logOptions('info'), stream: { write: (line: string) => void log.push(line) } };
    // With a rate limit, each registration also counts in the database.
    app = await startTestApp({ database, logger, REGISTER_LIMIT: 1_000 });
  });

  afterEach(async () => {
    await app.close();
    await database.remove();
  });

  test.runIf(runsAll)(
    'while another program holds the write lock, every registration is refused and none is stored later',
    async () => {
      const acknowledged: unknown = await (await register(app, 'Before')).json();
      const other = new SQLite(join(data, 'registry.db'));
      other.exec('BEGIN IMMEDIATE');
      const refusals = await Promise.all(Array.from({ length: 30 }, () => register(app, 'Refused')));
      expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 503));
      expect(refusals.map(({ headers }) => headers.get('retry-after'))).toEqual(refusals.map(() => '5'));
      expect(await list(app)).toEqual([acknowledged]);
      other.exec('COMMIT');
      other.close();
      const next: unknown = await (await register(app, 'After')).json();
      expect(await list(app)).toEqual([next, acknowledged]);
    },
  );

  /** Ways to lose the files of an open database; `restore` puts the same files back. */
  const accidents: { name: string; happen: () => Promise<void>; restore?: () => Promise<void> }[] = [
    { name: 'deleted', happen: () => rm(join(data, 'registry.db')) },
    {
      name: 'replaced by another file',
      async happen() {
        const other = join(folder, 'other.db');
        await copyFile(join(data, 'registry.db'), other);
        await rename(other, join(data, 'registry.db'));
      },
    },
    { name: 'left without its -wal file', happen: () => rm(join(data, 'registry.db-wal')) },
    {
      name: 'moved with its folder',
      happen: () => rename(data, join(folder, 'moved')),
      restore: () => rename(join(folder, 'moved'), data),
    },
  ];

  test.each(runsAll ? accidents : accidents.slice(0, 1))(
    'that is $name stores nothing and says so once',
    async ({ happen, restore }) => {
      const acknowledged: unknown = await (await register(app, 'Before')).json();
      await happen();
      const refusals = await Promise.all(Array.from({ length: 50 }, () => register(app, 'Refused')));
      expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 503));
      expect(refusals[0]?.headers.get('retry-after')).toBe('5');
      await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(503);
      expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
      expect(await list(app)).toEqual([acknowledged]);
      const errors = log.map((line) => JSON.parse(line) as { level: unknown; err?: Error }).filter(({ err }) => err);
      expect(errors).toMatchObject([
        { err: { message: expect.stringMatching(/registry\.db\S* was deleted or replaced/) } },
      ]);

      if (restore) {
        await restore();
        expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
        const next: unknown = await (await register(app, 'After')).json();
        expect(await list(app)).toEqual([next, acknowledged]);
      }
      await app.close();
      await database.reopen();
      app = await startTestApp({ database });
      expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
      expect((await register(app, 'Later')).status).toBe(201);
    },
  );
});

describe('a start', () => {
  test.skipIf(!runsAll || !canMount())(
    'with a database that is read-only ends with a sentence (needs mounts)',
    async () => {
      await copyFile(inject('sqliteTemplate'), join(dataFolder(), 'registry.db'));
      const wrapper = mounting('mount --bind -o ro "$0" "$0" && mount -o remount,bind,ro "$0"');
      const { code, stderr } = await runServerProcess(folder, environment(), underCommand(wrapper));
      expect(stderr).toMatch(/^The database .+: .+\.\n$/);
      expect(code).toBe(1);
    },
  );
});
