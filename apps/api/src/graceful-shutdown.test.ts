import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from './db/open-database.ts';
import { createAgentStore } from './stores.ts';
import { fillTestDatabase } from './testing/fill-database.ts';
import { postJson, send } from './testing/test-app.ts';
import type { ServerOptions } from './server-options.ts';
import { startServerProcess, type ServerProcess } from './testing/processes.ts';
import { runsAll } from './testing/tier.ts';

const LONG_LIST = 3_000;

let folder: string;
const started = new Set<ServerProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
});

afterEach(async () => {
  for (const server of started) await server.stop('SIGKILL');
  started.clear();
});

afterAll(() => rm(folder, { recursive: true }));

async function start(
  env: Record<string, string> = {},
  file = 'registry.db',
  options: Partial<ServerOptions> = {},
): Promise<ServerProcess> {
  const server = await startServerProcess(
    folder,
    { PORT: '0', DATABASE_URL: `file:${join(folder, file)}`, ...env },
    { options: { webDir: join(folder, 'no-web'), ...options } },
  );
  started.add(server);
  return server;
}

describe('graceful shutdown', () => {
  test.each(runsAll ? [0, 10] : [0])(
    'a signal %i ms after requests completes them all and exits with 0',
    async (delay) => {
      // Long enough for the requests to arrive from a busy machine.
      const server = await start({ SHUTDOWN_DELAY: '3000' }, `registry-${delay}.db`);
      const answers = Array.from({ length: 24 }, async (_, index) => {
        const answer =
          index % 3 === 0
            ? await postJson(`${server.url}/api/agents`, makeNewAgent(), { connection: 'close' })
            : await fetch(`${server.url}/api/${index % 3 === 1 ? 'agents' : 'search?q=otter'}`);
        await answer.json();
        return answer.status;
      });
      await wait(delay);
      const exit = server.stop('SIGTERM');
      expect(await Promise.all(answers)).toEqual(answers.map((_, index) => (index % 3 === 0 ? 201 : 200)));
      expect(await exit).toBe(0);
    },
  );

  test('no response breaks for clients that send requests until /readyz is 503', async () => {
    const server = await start({ SHUTDOWN_DELAY: '1000' });
    const acknowledged: string[] = [];
    let answers = 0;
    const notReady = new AbortController();
    const load = Array.from({ length: 8 }, async (_, client) => {
      while (!notReady.signal.aborted) {
        if (client % 4 === 0) {
          const response = await postJson(`${server.url}/api/agents`, makeNewAgent());
          acknowledged.push(((await response.json()) as Agent).id);
        } else {
          const response = await fetch(`${server.url}/api/agents?limit=20`);
          expect(await response.json()).toHaveLength(20);
        }
        answers += 1;
      }
    });
    await expect.poll(() => answers).toBeGreaterThan(100);
    const exit = server.stop('SIGTERM');
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
    notReady.abort();
    await Promise.all(load);
    expect(await exit).toBe(0);

    const { engine } = await openDatabase(`file:${join(folder, 'registry.db')}`);
    const ids = (await createAgentStore(engine).list()).map(({ id }) => id);
    await engine.close();
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
  });

  test('the process is alive but not ready and closes connections, until a second signal ends it immediately', async () => {
    const server = await start({ SHUTDOWN_DELAY: '600000' });
    expect(await send(`${server.url}/readyz`)).toMatchObject({ status: 200, body: 'ready' });
    const exit = server.stop('SIGTERM');
    await expect
      .poll(() => send(`${server.url}/readyz`))
      .toMatchObject({ status: 503, body: 'The process is shutting down.' });
    expect(await send(`${server.url}/healthz`)).toMatchObject({ status: 200, body: 'alive' });
    const answer = await fetch(`${server.url}/api/stats`, { headers: { connection: 'keep-alive' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
    await server.stop('SIGINT');
    expect(await exit).toBe(1);
  });

  test.runIf(runsAll)('shutdown does not wait for silent connections', async () => {
    const server = await start({ SHUTDOWN_DELAY: '0' }, 'registry.db', { shutdownTimeout: 600_000 });
    const silent = request(server.url, { agent: false });
    silent.on('error', () => {});
    const [socket] = (await once(silent, 'socket')) as [NodeJS.Socket];
    await once(socket, 'connect');
    expect(await server.stop('SIGTERM')).toBe(0);
  });
});

describe.runIf(runsAll)('a long list that is sent during graceful shutdown', () => {
  beforeAll(async () => {
    // More than the buffers between two processes hold.
    const agents = Array.from({ length: LONG_LIST }, () => makeAgent({ description: '—'.repeat(2_000) }));
    await fillTestDatabase(`file:${join(folder, 'long.db')}`, agents);
  });

  async function beginReading(server: ServerProcess): Promise<IncomingMessage> {
    const sent = request(`${server.url}/api/agents`).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response, 'readable');
    return response;
  }

  test('the list is sent to its end', async () => {
    const server = await start({ SHUTDOWN_DELAY: '0' }, 'long.db', { shutdownTimeout: 600_000 });
    const response = await beginReading(server);
    const exit = server.stop('SIGTERM');
    const ask = () => fetch(server.url).then(String, String);
    await expect.poll(ask).toContain('fetch failed');
    expect(JSON.parse(await text(response))).toHaveLength(LONG_LIST);
    expect(await exit).toBe(0);
  });

  test('the list is aborted after the time for pending requests, with a line in the log', async () => {
    const server = await start({ SHUTDOWN_DELAY: '0' }, 'long.db', { shutdownTimeout: 200 });
    const response = await beginReading(server);
    expect(await server.stop('SIGTERM')).toBe(0);
    await expect(text(response)).rejects.toThrow('aborted');
    expect(server.log.join('\n')).toContain(
      'The time for pending requests is over: responses under way are broken off.',
    );
  });
});
