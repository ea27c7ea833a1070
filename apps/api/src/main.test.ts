import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent as HttpAgent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import SQLite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createAgentStore } from './stores.ts';
import { openDatabase } from './db/open-database.ts';
import { start } from './start.ts';
import { createViewStore } from './stats/view-store.ts';
import { surfaceEngines, type TestDatabase } from './testing/engines.ts';
import { postJson } from './testing/test-app.ts';
import type { ServerOptions } from './server-options.ts';
import { runServerProcess, startServerProcess, type ServerProcess } from './testing/processes.ts';
import { runsAll } from './testing/tier.ts';

const started = new Set<ServerProcess>();
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  file = join(folder, 'registry.db');
});

afterEach(async () => {
  for (const server of started) await server.stop('SIGKILL');
  started.clear();
  await rm(folder, { recursive: true });
});

async function statusOf(sent: ClientRequest): Promise<number | undefined> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** The environment of a process, without inherited variables. */
const environment = (env: Record<string, string> = {}) => ({
  PORT: '0',
  SHUTDOWN_DELAY: '0',
  DATABASE_URL: `file:${file}`,
  ...env,
});

async function startServer(
  env?: Record<string, string>,
  options: Partial<ServerOptions> = {},
  wrapper?: readonly string[],
): Promise<ServerProcess> {
  const how = { wrapper, options: { webDir: join(folder, 'no-web'), ...options } };
  const server = await startServerProcess(folder, environment(env), how);
  started.add(server);
  return server;
}

async function getJson<Answer>(url: string): Promise<Answer> {
  return (await (await fetch(url)).json()) as Answer;
}

const countAgents = async ({ url }: ServerProcess) => (await getJson<Agent[]>(`${url}/api/agents`)).length;

/** The metrics URL in the log of a process. */
function findMetrics({ log }: ServerProcess) {
  const line = log.find((entry) => entry.includes('Metrics are served'));
  const { address } = JSON.parse(line ?? '{}') as { address: AddressInfo };
  return { address: address.address, url: `http://127.0.0.1:${address.port}` };
}

/** Settings in which `localhost` has two addresses. */
function resolveTwoAddresses() {
  const resolve = `import dns from 'node:dns'; import { syncBuiltinESMExports } from 'node:module';
    const { lookup } = dns;
    const both = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    dns.promises.lookup = async () => both[0];
    dns.lookup = (host, options, done) => {
      if (host !== 'localhost') lookup(host, options, done);
      else if (options.all) done(null, both);
      else done(null, both[0].address, 4);
    };
    syncBuiltinESMExports();`;
  return { HOST: 'localhost', NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(resolve)}` };
}

describe('a server', () => {
  test.runIf(runsAll)(
    'loads sample data into a new database, once; serves no metrics; listens on the first address of a host name',
    async () => {
      const first = await startServer();
      expect(await countAgents(first)).toBe(42);
      expect(first.log.join('')).not.toContain('Metrics');
      expect((await fetch(`${first.url}/metrics`)).status).toBe(404);
      await first.stop('SIGTERM');

      const second = await startServer(resolveTwoAddresses());
      expect(await countAgents(second)).toBe(42);
      expect((await fetch(`${second.url}/healthz`)).status).toBe(200);
      await expect(fetch(`${second.url.replace('127.0.0.1', '127.0.0.2')}/healthz`)).rejects.toThrow('fetch failed');
    },
  );

  test.runIf(runsAll)(
    'reads .env in the working directory, also with a byte order mark, and the environment wins; sample data is not loaded later',
    async () => {
      await writeFile(join(folder, '.env'), '\uFEFFSAMPLE_DATA=off\nPORT=http\n');
      const first = await startServer();
      expect(await getJson(`${first.url}/api/agents`)).toEqual([]);
      await first.stop('SIGTERM');
      expect(await countAgents(await startServer({ SAMPLE_DATA: 'on' }))).toBe(0);
    },
  );

  test.runIf(runsAll)('serves the web app, and metrics on a separate port of the loopback address only', async () => {
    await mkdir(join(folder, 'web', 'server'), { recursive: true });
    await writeFile(
      join(folder, 'web', 'server', 'entry-server.js'),
      `export const renderPage = async ({ url, template }) =>
        ({ status: url === '/' ? 200 : 404, html: template, isComplete: true });`,
    );
    await writeFile(join(folder, 'web', 'index.html'), 'the page');
    const env = { METRICS_PORT: '0', HOST: '0.0.0.0', SAMPLE_DATA: 'off' };
    const server = await startServer(env, { webDir: join(folder, 'web') });
    expect(await (await fetch(server.url)).text()).toBe('the page');

    await postJson(`${server.url}/api/agents`, makeNewAgent());
    const { address, url } = findMetrics(server);
    const response = await fetch(`${url}/metrics`);
    const metrics = await response.text();
    expect(address).toBe('127.0.0.1');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(metrics).toContain('http_requests_total{method="POST",route="/api/agents",status="201"} 1');
    expect(metrics).toContain('http_request_duration_seconds_bucket{le="0.1",method="POST",route="/api/agents"}');
    expect(metrics).toMatch(/^agents_registered_total 1$/m);
    expect(metrics).toMatch(/^database_query_duration_seconds_count [1-9]/m);
    expect(metrics).toMatch(/^nodejs_eventloop_lag_mean_seconds \d/m);
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    expect(await server.stop('SIGTERM')).toBe(0);
  });
});

test.runIf(runsAll).each(surfaceEngines)(
  'connections are watched where the setting says so, until a shutdown, on $name',
  async ({ open }) => {
    const database = await open();
    const { db } = database.engine;
    const watchedAgent = makeAgent({
      website: 'https://watched.example/',
      websiteCheckedAt: '2026-11-01T00:00:00.000Z',
      websiteProof: 'host',
      connections: [{ kind: 'a2a', card: 'https://watched.example/card.json' }],
    });
    await createAgentStore(database.engine).load([watchedAgent]);
    const watched = async () =>
      (await db.selectFrom('connection_checks').select('address').execute()).map(({ address }) => address);
    const env = { DATABASE_URL: database.url, SAMPLE_DATA: 'off', PUBLIC_URL: 'https://registry.example' };
    expect(await (await startServer(env)).stop('SIGTERM')).toBe(0);
    expect(await watched()).toEqual([]);
    const server = await startServer({ ...env, CONNECTION_CHECKS: 'on' });
    await expect.poll(watched).toEqual(['a2a https://watched.example/card.json']);
    // Its pause between two rounds does not keep the process.
    expect(await server.stop('SIGTERM')).toBe(0);
    await database.remove();
  },
);

describe.each(surfaceEngines)('processes over $name', ({ open }) => {
  let cwd: string;
  let database: TestDatabase;
  /** The running processes. */
  let running: [ServerProcess, ServerProcess];

  async function start(): Promise<ServerProcess> {
    // Each test has an address, and thereby a rate limit, of its own.
    const settings = { DATABASE_URL: database.url, SAMPLE_DATA: 'on', REGISTER_LIMIT: '3', TRUST_PROXY: '1' };
    return startServerProcess(cwd, environment(settings), { options: { webDir: cwd } });
  }

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'agent-registry-'));
    database = await open();
    await database.clear();
    running = await Promise.all([start(), start()]);
  });

  afterAll(async () => {
    for (const server of running) await server.stop('SIGKILL');
    await database.remove();
    await rm(cwd, { recursive: true });
  });

  const register = ({ url }: ServerProcess, address: string, newAgent = makeNewAgent(), headers = {}) =>
    postJson(`${url}/api/agents`, newAgent, { 'x-forwarded-for': address, ...headers });

  test('that start together on a new database create its tables once', async () => {
    for (const server of running) expect(await countAgents(server)).toBe(42);
  });

  test('show an agent of another process at the next read', async () => {
    const [one, other] = running;
    for (const [writer, reader] of [
      [one, other],
      [other, one],
    ] as const) {
      const agent = await (await register(writer, '192.0.2.1', makeNewAgent({ name: 'Twin' }))).json();
      expect(await getJson<Agent[]>(`${reader.url}/api/agents`)).toContainEqual(agent);
      expect(await getJson<Agent[]>(`${reader.url}/api/search?q=twin`)).toContainEqual(agent);
    }
    expect(await getJson(`${one.url}/api/stats`)).toEqual(await getJson(`${other.url}/api/stats`));
  });

  test('share the rate limit of registrations', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => register(running[index % 2 === 0 ? 0 : 1], '192.0.2.2')),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 429, 429, 429, 429, 429,
    ]);
  });

  test('lose no acknowledged registration at SIGKILL, and register once per Idempotency-Key across processes and after it', async () => {
    const [one, other] = running;
    const before = await getJson<Agent[]>(`${other.url}/api/agents`);
    const newAgent = makeNewAgent();
    let sent = 0;
    // Repeated registrations count in the rate limit of their address.
    const send = (server: ServerProcess) =>
      register(server, `192.0.3.${(sent += 1)}`, newAgent, { 'idempotency-key': 'a-key-of-its-own' });
    const answers = await Promise.all([send(one), send(other), send(one), send(other)]);
    const last = await register(one, '192.0.2.3');
    expect(last.status).toBe(201);
    await one.stop('SIGKILL');
    const server = await start();
    running[0] = server;
    answers.push(await send(other), await send(server));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(bodies).size).toBe(1);
    const agents = [await last.json(), JSON.parse(bodies[0] ?? ''), ...before];
    for (const { url } of [server, other]) expect(await getJson(`${url}/api/agents`)).toEqual(agents);
  });

  test('exit with 0 at SIGTERM and at SIGINT after writing the views', async () => {
    const agents = await getJson<Agent[]>(`${running[0].url}/api/agents`);
    for (const [place, signal] of (['SIGTERM', 'SIGINT'] as const).entries()) {
      const server = running[place]!;
      await fetch(`${server.url}/api/agents/${agents[0]?.id}`);
      expect(await server.stop(signal)).toBe(0);
      const { engine } = await openDatabase(database.url);
      expect(await createViewStore(engine).sum('2000-01-01')).toBe(place + 1);
      await engine.close();
    }
  });
});

describe('more connections than the process may have descriptors', () => {
  const DESCRIPTORS = 200;

  test.skipIf(!runsAll || spawnSync('prlimit', ['--version']).status !== 0)(
    'close the longest idle ones; new ones work meanwhile and afterwards (needs prlimit)',
    async () => {
      const wrapper = ['prlimit', `--nofile=${DESCRIPTORS}`];
      const env = { METRICS_PORT: '0', SAMPLE_DATA: 'off' };
      const server = await startServer(env, { headersTimeout: 2_000 }, wrapper);
      const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const ask = (path: string, body?: string) => {
        const headers = { 'content-type': 'application/json' };
        return statusOf(request(server.url + path, { agent, headers, method: body ? 'POST' : 'GET' }).end(body));
      };
      expect(await ask('/healthz')).toBe(200);

      let closed = 0;
      const port = Number(new URL(server.url).port);
      const sockets = Array.from({ length: DESCRIPTORS * 2 }, () => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => {});
        socket.on('close', () => (closed += 1));
        socket.resume();
        return socket;
      });
      onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
      await expect.poll(() => closed).toBeGreaterThan(DESCRIPTORS * 2 - DESCRIPTORS / 3 - 1);
      expect(await ask('/healthz')).toBe(200);
      expect(await ask('/api/agents', JSON.stringify(makeNewAgent()))).toBe(201);
      expect((await fetch(`${findMetrics(server).url}/metrics`)).status).toBe(200);

      await expect
        .poll(async () => {
          expect(await ask('/healthz')).toBe(200);
          return closed;
        })
        .toBe(sockets.length);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      expect(server.log.filter((line) => line.includes('as many as allowed are open'))).toHaveLength(1);
      expect(await server.stop('SIGTERM')).toBe(0);
    },
  );
});

describe('a process that cannot start exits with 1 and one sentence', () => {
  async function expectExit(env: Record<string, string>, sentence: RegExp) {
    const { code, stderr } = await runServerProcess(folder, environment(env));
    expect(stderr).toMatch(sentence);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(code).toBe(1);
  }

  /** Starts in this process, which is refused before anything of the process is changed. */
  async function expectRefusal(env: Record<string, string>, sentence: RegExp) {
    const before = process.cwd();
    process.chdir(folder);
    for (const [name, value] of Object.entries(environment(env))) vi.stubEnv(name, value);
    try {
      expect(await start()).toMatch(sentence);
    } finally {
      vi.unstubAllEnvs();
      process.chdir(before);
    }
  }

  test('for an invalid setting', () =>
    expectExit({ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535\.\n$/));

  test.runIf(runsAll)('for a folder in place of .env', async () => {
    await mkdir(join(folder, '.env'));
    await expectRefusal({}, /^The file \.env cannot be read: .+\.$/);
  });

  test.runIf(runsAll)('for an invalid host', () => expectExit({ HOST: 'no such host' }, /no such host/));

  test('for a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sentence = (prefix: string) =>
      new RegExp(`^Another program uses port ${port}; ${prefix}PORT=\\d+ is free\\.$`);
    await expectRefusal({ PORT: String(port) }, sentence(''));
    await expectRefusal({ METRICS_PORT: String(port) }, sentence('METRICS_'));
  });

  test.runIf(runsAll)('for a PostgreSQL server that is unreachable or refuses the password', async () => {
    await expectRefusal(
      { DATABASE_URL: 'postgres://user:password@127.0.0.1:1/registry' },
      /^The database cannot be opened: The database does not answer: [^\n]+\.$/,
    );
    const url = new URL(inject('postgresUrl'));
    url.username = 'nobody';
    await expectRefusal({ DATABASE_URL: url.href }, /^The database cannot be opened: .*"nobody".*\.$/);
  });

  test('for a folder in place of the database', async () => {
    await mkdir(file);
    await expectRefusal({}, /^The database .*registry\.db cannot be opened: .+\.$/);
  });

  test('for the database of another version, which stays unchanged', async () => {
    await copyFile(inject('sqliteTemplate'), file);
    const database = new SQLite(file);
    database.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '2099-01-01')");
    const before = database.serialize();
    await expectRefusal(
      {},
      /^The database has the schema 9999-later, and this version needs [\w-]+: make a backup [^\n]+ a new database\.$/,
    );
    expect(database.serialize().equals(before)).toBe(true);
    database.close();
  });

  test.runIf(runsAll)('for a folder that cannot be made', () =>
    expectRefusal(
      { DATABASE_URL: 'file:/dev/null/x/registry.db' },
      /^The database \/dev\/null\/x.* cannot be opened: .+\.$/,
    ),
  );

  test.runIf(runsAll)('for a text file in place of the database', async () => {
    await writeFile(file, 'This is not a database.\n'.repeat(100));
    await expectRefusal({}, /^The database .*registry\.db cannot be opened: .+\.$/);
  });
});
