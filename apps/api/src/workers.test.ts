import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent as Connection, request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Agent } from '@agent-registry/contracts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { engines, makeNewAgent, type TestDatabase } from './testing/engines.ts';
import { postJson } from './testing/test-app.ts';
import { runServerProcess, startServerProcess, type ServerProcess } from './testing/processes.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
});

afterEach(() => rm(folder, { recursive: true }));

const environment = (env: Record<string, string>) => ({
  PORT: '0',
  WORKERS: '2',
  SAMPLE_DATA: 'off',
  DATABASE_URL: `file:${join(folder, 'registry.db')}`,
  WEB_DIR: join(folder, 'no-web'),
  ...env,
});

/** Starts a supervisor and waits until so many workers listen. */
async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServerProcess(folder, environment(env));
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  await expect.poll(() => findWorkers(server)).toHaveLength(2);
  return server;
}

type Line = { pid: number; msg: string; status?: number; address?: AddressInfo; delay?: number };

const readLog = ({ log }: ServerProcess) => log.map((line) => JSON.parse(line) as Line);

/** The process ids of all workers that have come to listen, in this order. */
const findWorkers = (server: ServerProcess) =>
  readLog(server).flatMap(({ msg, pid }) => (msg.startsWith('Server listening at') ? pid : []));

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Waits until the workers are gone, and whoever adopted them has noticed. */
const expectNoWorkers = (server: ServerProcess) => expect.poll(() => findWorkers(server).filter(isRunning)).toEqual([]);

describe.each(engines)('two workers over $name', ({ open }) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await open();
  });

  afterEach(() => database.remove());

  test('answer on one port and as one, are two again when one is killed, and leave without breaking an answer', async () => {
    const server = await start({ DATABASE_URL: database.url, METRICS_PORT: '0', SHUTDOWN_DELAY: '1000' });
    const connections = [0, 1].map(() => new Connection({ keepAlive: true, maxSockets: 1 }));
    onTestFinished(() => connections.forEach((connection) => connection.destroy()));
    const call = async <Answer>(agent: Connection | undefined, path: string, body?: unknown): Promise<Answer> => {
      const headers = { 'content-type': 'application/json' };
      const sent = request(server.url + path, { agent, headers, method: body ? 'POST' : 'GET' });
      sent.end(body && JSON.stringify(body));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return (await json(response)) as Answer;
    };
    const [one, other] = connections;
    for (const [writer, reader] of [
      [one, other],
      [other, one],
      [one, other],
    ]) {
      const agent = await call<Agent>(writer, '/api/agents', makeNewAgent({ name: 'Twin' }));
      expect(await call<Agent[]>(reader, '/api/agents')).toContainEqual(agent);
      expect(await call<Agent[]>(reader, '/api/search?q=twin')).toContainEqual(agent);
    }

    const answerers = () => new Set(readLog(server).flatMap(({ status, pid }) => (status === 201 ? pid : [])));
    await expect.poll(answerers).toEqual(new Set(findWorkers(server)));
    const { address } = readLog(server).find(({ msg }) => msg.startsWith('Metrics are served')) ?? {};
    const metrics = await (await fetch(`http://127.0.0.1:${address?.port}/metrics`)).text();
    expect(metrics).toMatch(/^agents_registered_total 3$/m);
    expect(metrics).toMatch(/^http_requests_total\{method="POST",route="\/api\/agents",status="201"\} 3$/m);

    const [killed = 0, kept = 0] = findWorkers(server);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => findWorkers(server)).toHaveLength(3);
    expect(isRunning(killed)).toBe(false);
    expect(isRunning(kept)).toBe(true);

    const answers = Array.from({ length: 24 }, async (_, index) => {
      const answer =
        index % 3 === 0
          ? await postJson(`${server.url}/api/agents`, makeNewAgent(), { connection: 'close' })
          : await fetch(`${server.url}/api/agents`, { headers: { connection: 'close' } });
      await answer.json();
      return answer.status;
    });
    const exit = server.stop('SIGTERM');
    expect(await Promise.all(answers)).toEqual(answers.map((_, index) => (index % 3 === 0 ? 201 : 200)));
    expect(await exit).toBe(0);
    expect(findWorkers(server).filter(isRunning)).toEqual([]);
  });
});

describe('a supervisor', () => {
  test('ends at once with all workers at a second signal', async () => {
    const server = await start({ SHUTDOWN_DELAY: '600000' });
    const exit = server.stop('SIGTERM');
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
    await server.stop('SIGINT');
    expect(await exit).toBe(1);
    await expectNoWorkers(server);
  });

  test('leaves at a signal that comes before its first worker listens', async () => {
    // The worker listens once it is told to leave, and no sooner.
    const hold = `import cluster from 'node:cluster'; import { Server } from 'node:net';
      const { listen } = Server.prototype;
      if (cluster.isWorker) Server.prototype.listen = function (...args) {
        process.once('SIGTERM', () => listen.apply(this, args));
        console.log(JSON.stringify({ pid: process.pid, msg: 'Held, ready at http://127.0.0.1:0' }));
        return this;
      };`;
    const server = await startServerProcess(
      folder,
      environment({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hold)}` }),
    );
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    expect(await server.stop('SIGTERM')).toBe(0);
    expect(findWorkers(server)).toHaveLength(1);
  });

  test('waits longer and longer for workers that end at once, and is not outlived by those that are left', async () => {
    const server = await start();
    await rm(join(folder, 'registry.db'));
    await mkdir(join(folder, 'registry.db'));
    const [killed = 0] = findWorkers(server);
    process.kill(killed, 'SIGKILL');
    const delays = () =>
      readLog(server).flatMap(({ msg, delay }) => (msg.startsWith('A worker has ended') ? [delay] : []));
    await expect.poll(() => delays().slice(0, 3)).toEqual([0, 100, 200]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.stop('SIGKILL');
    await expectNoWorkers(server);
  });

  test('leaves with two workers that every process of the group is told to leave, as by Ctrl+C', async () => {
    const server = await start({ SHUTDOWN_DELAY: '200' });
    const answer = fetch(`${server.url}/api/agents`, { headers: { connection: 'close' } });
    for (const pid of findWorkers(server)) process.kill(pid, 'SIGINT');
    expect(await server.stop('SIGINT')).toBe(0);
    expect((await answer).status).toBe(200);
  });

  test('whose first worker cannot start exits with 1 and says why once', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const port = String((taken.address() as AddressInfo).port);
    for (const [env, sentence] of [
      [{ PORT: port }, /^HOST and PORT do not name an address to listen on: .+\.\n$/],
      [{ METRICS_PORT: port }, /^METRICS_HOST and METRICS_PORT do not name an address to listen on: .+\.\n$/],
    ] as const) {
      const { code, stderr } = await runServerProcess(folder, environment(env));
      expect(stderr).toMatch(sentence);
      expect(code).toBe(1);
    }
  });
});
