import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent as HttpAgent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { engines, type TestDatabase } from './testing/engines.ts';
import { createKyselyAgentStore } from './agents/kysely-agent-store.ts';
import { postJson } from './testing/test-app.ts';
import { runServerProcess, startServerProcess, type ServerProcess } from './testing/processes.ts';

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
  WEB_DIR: join(folder, 'no-web'),
  ...env,
});

async function startServer(env?: Record<string, string>, wrapper?: readonly string[]): Promise<ServerProcess> {
  const server = await startServerProcess(folder, environment(env), wrapper);
  started.add(server);
  return server;
}

async function getJson<Answer>(url: string): Promise<Answer> {
  return (await (await fetch(url)).json()) as Answer;
}

describe('sample data', () => {
  const countAgents = async (env: Record<string, string>) => {
    const server = await startServer(env);
    const agents = await getJson<Agent[]>(`${server.url}/api/agents`);
    await server.stop('SIGTERM');
    return agents.length;
  };

  test('is loaded into a new database, once', async () => {
    expect(await countAgents({})).toBe(42);
    expect(await countAgents({})).toBe(42);
  });

  test('is not loaded with SAMPLE_DATA=off, nor later into the existing database', async () => {
    expect(await countAgents({ SAMPLE_DATA: 'off' })).toBe(0);
    expect(await countAgents({ SAMPLE_DATA: 'on' })).toBe(0);
  });
});

test('settings are read from .env in the working directory, and the environment wins', async () => {
  await writeFile(join(folder, '.env'), 'SAMPLE_DATA=off\nPORT=http\n');
  const { url } = await startServer();
  expect(await getJson(`${url}/api/agents`)).toEqual([]);
});

test('the server listens on the first address of a host name', async () => {
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
  const { url } = await startServer({
    HOST: 'localhost',
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(resolve)}`,
  });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await expect(fetch(`${url.replace('127.0.0.1', '127.0.0.2')}/healthz`)).rejects.toThrow('fetch failed');
});

describe.each(engines)('processes over $name', ({ open }) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await open();
  });

  afterEach(async () => {
    for (const server of started) await server.stop('SIGKILL');
    await database.remove();
  });

  const start = () => startServer({ DATABASE_URL: database.url });

  test.each(['SIGTERM', 'SIGINT'] as const)('exit with 0 at %s after writing the views', async (signal) => {
    const agent = makeAgent();
    await createKyselyAgentStore(database.engine).load([agent]);
    const first = await start();
    await fetch(`${first.url}/api/agents/${agent.id}`);
    expect(await first.stop(signal)).toBe(0);

    const second = await start();
    expect(await getJson(`${second.url}/api/stats`)).toMatchObject({ totalAgents: 1, monthlyViews: 1 });
  });

  test('lose no acknowledged registration at SIGKILL', async () => {
    const first = await start();
    const response = await postJson(`${first.url}/api/agents`, makeNewAgent());
    expect(response.status).toBe(201);
    await first.stop('SIGKILL');

    const second = await start();
    expect(await getJson(`${second.url}/api/agents`)).toEqual([await response.json()]);
  });

  test('register once per Idempotency-Key, across processes and after SIGKILL', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const newAgent = makeNewAgent();
    const send = ({ url }: ServerProcess) =>
      postJson(`${url}/api/agents`, newAgent, { 'idempotency-key': 'a-key-of-its-own' });
    const answers = await Promise.all([send(one), send(other), send(one), send(other)]);
    await one.stop('SIGKILL');
    answers.push(await send(other), await send(await start()));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(bodies).size).toBe(1);
    expect(await getJson(`${other.url}/api/agents`)).toHaveLength(1);
  });

  test('share the rate limit of registrations', async () => {
    const servers = await Promise.all(
      [1, 2].map(() => startServer({ DATABASE_URL: database.url, REGISTER_LIMIT: '3' })),
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => postJson(`${servers[index % 2]?.url}/api/agents`, makeNewAgent())),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 429, 429, 429, 429, 429,
    ]);
  });

  test('started together on a new database migrate it once', async () => {
    await database.clear();
    const servers = await Promise.all(
      Array.from({ length: 3 }, () => startServer({ DATABASE_URL: database.url, SAMPLE_DATA: 'on' })),
    );
    for (const { url } of servers) expect(await getJson(`${url}/api/agents`)).toHaveLength(42);
  });

  test('show an agent of another process at the next read', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    for (const [writer, reader] of [
      [one, other],
      [other, one],
    ] as const) {
      const agent = await (await postJson(`${writer.url}/api/agents`, makeNewAgent({ name: 'Twin' }))).json();
      expect(await getJson<Agent[]>(`${reader.url}/api/agents`)).toContainEqual(agent);
      expect(await getJson<Agent[]>(`${reader.url}/api/search?q=twin`)).toContainEqual(agent);
    }
    expect(await getJson(`${one.url}/api/stats`)).toEqual(await getJson(`${other.url}/api/stats`));
  });
});

describe('the built web app', () => {
  test('is served from a folder that is named relative to the working directory', async () => {
    await mkdir(join(folder, 'web', 'server'), { recursive: true });
    await writeFile(
      join(folder, 'web', 'server', 'entry-server.js'),
      'export const renderPage = async ({ template }) => ({ status: 200, html: template, isComplete: true });',
    );
    await writeFile(join(folder, 'web', 'index.html'), 'the page');
    const { url } = await startServer({ WEB_DIR: relative(folder, join(folder, 'web')) });
    expect(await (await fetch(url)).text()).toBe('the page');
  });
});

/** The metrics URL in the log of a process. */
function findMetrics({ log }: ServerProcess) {
  const line = log.find((entry) => entry.includes('Metrics are served'));
  const { address } = JSON.parse(line ?? '{}') as { address: AddressInfo };
  return { address: address.address, url: `http://127.0.0.1:${address.port}` };
}

describe('metrics', () => {
  test('are served on a separate port of the loopback address only', async () => {
    const server = await startServer({ METRICS_PORT: '0', HOST: '0.0.0.0', SAMPLE_DATA: 'off' });
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

  test('are not served without METRICS_PORT', async () => {
    const server = await startServer();
    expect(server.log.join('')).not.toContain('Metrics');
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  });
});

describe('more connections than the process may have descriptors', () => {
  const DESCRIPTORS = 200;

  test.skipIf(spawnSync('prlimit', ['--version']).status !== 0)(
    'close the longest idle ones; new ones work meanwhile and afterwards (needs prlimit)',
    async () => {
      const wrapper = ['prlimit', `--nofile=${DESCRIPTORS}`];
      const env = { METRICS_PORT: '0', SAMPLE_DATA: 'off', HEADERS_TIMEOUT: '2000' };
      const server = await startServer(env, wrapper);
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
      expect(server.log.filter((line) => line.includes('MAX_CONNECTIONS are open'))).toHaveLength(1);
      expect(await server.stop('SIGTERM')).toBe(0);
    },
  );
});

describe('a process that cannot start exits with 1 and one sentence', () => {
  async function expectRefusal(env: Record<string, string>, sentence: RegExp) {
    const { code, stderr } = await runServerProcess(folder, environment(env));
    expect(stderr).toMatch(sentence);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(code).toBe(1);
  }

  test('for an invalid setting', () =>
    expectRefusal({ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535\.\n$/));

  test('for a folder in place of .env', async () => {
    await mkdir(join(folder, '.env'));
    await expectRefusal({}, /^The file \.env cannot be read: .+\.\n$/);
  });

  test('for an invalid host', () => expectRefusal({ HOST: 'no such host' }, /no such host/));

  test('for a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sentence = (prefix: string) =>
      new RegExp(`^Another program uses port ${port}; ${prefix}PORT=\\d+ is free\\.\n$`);
    await expectRefusal({ PORT: String(port) }, sentence(''));
    await expectRefusal({ METRICS_PORT: String(port) }, sentence('METRICS_'));
  });

  test('for a PostgreSQL server that is unreachable or refuses the password', async () => {
    await expectRefusal(
      { DATABASE_URL: 'postgres://user:password@127.0.0.1:1/registry' },
      /^The database cannot be opened: The database does not answer: [^\n]+\.\n$/,
    );
    const url = new URL(inject('postgresUrl'));
    url.username = 'nobody';
    await expectRefusal({ DATABASE_URL: url.href }, /^The database cannot be opened: .*"nobody".*\.\n$/);
  });

  test('for a folder in place of the database', async () => {
    await mkdir(file);
    await expectRefusal({}, /^The database .*registry\.db cannot be opened: .+\.\n$/);
  });

  test('for a folder that cannot be made', () =>
    expectRefusal(
      { DATABASE_URL: 'file:/dev/null/x/registry.db' },
      /^The database \/dev\/null\/x.* cannot be opened: .+\.\n$/,
    ));

  test('for a text file in place of the database', async () => {
    await writeFile(file, 'This is not a database.\n'.repeat(100));
    await expectRefusal({}, /^The database .*registry\.db cannot be opened: .+\.\n$/);
  });
});
