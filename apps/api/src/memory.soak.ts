import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fillTestDatabase } from './testing/fill-database.ts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { startServerProcess, type ServerProcess } from './testing/processes.ts';
import { postJson } from './testing/test-app.ts';

/** The number of rounds of clients. */
const ROUNDS = Number(process.env.SOAK_ROUNDS);
const AGENTS = 10_000;
const MAX_MEMORY = 512 * 2 ** 20;

vi.setConfig({ testTimeout: 120_000 + ROUNDS * 60_000 });

let folder: string;
let ids: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  const agents = Array.from({ length: AGENTS }, (_, index) =>
    makeAgent({ name: `Agent ${index}`, description: 'd'.repeat(400) }),
  );
  ids = agents.map(({ id }) => id);
  await fillTestDatabase(`file:${join(folder, 'registry.db')}`, agents);
});

afterAll(() => rm(folder, { recursive: true }));

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

const attacks: { what: string; clients: number; write: (client: number) => string }[] = [
  { what: 'the full list by many URLs', clients: 150, write: (client) => get(`/api/agents?x=${client}`) },
  {
    what: 'pages of the list by different URLs, pipelined',
    clients: 50,
    write: (client) =>
      Array.from({ length: 500 }, (_, page) =>
        get(`/api/agents?limit=${100 + (client % 100)}&after=${ids[page * 10]}`),
      ).join(''),
  },
];

/** The peak memory of a process, in bytes. */
async function peakMemory({ pid }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

describe.skipIf(!existsSync('/proc/self/status'))('clients that read nothing (needs /proc)', () => {
  test.each(attacks)('memory stays bounded when they request $what', async ({ clients, write }) => {
    const env = {
      PORT: '0',
      DATABASE_URL: `file:${join(folder, 'registry.db')}`,
      READ_LIMIT: '0',
      // Node's own default in a container of this size.
      NODE_OPTIONS: `--max-old-space-size=${MAX_MEMORY / 2 ** 21}`,
    };
    const server = await startServerProcess(folder, env, { options: { webDir: join(folder, 'no-web') } });
    let sockets: Socket[] = [];
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      await server.stop('SIGKILL');
    });
    const port = Number(new URL(server.url).port);

    for (let round = 0; round < ROUNDS; round += 1) {
      for (const socket of sockets) socket.destroy();
      sockets = Array.from({ length: clients }, (_, client) => {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        socket.write(write(round * clients + client));
        return socket;
      });
      for (let count = 0; count < 5; count += 1) {
        for (const path of ['/healthz', '/api/stats', `/api/agents/${ids[count]}`, '/api/agents']) {
          const response = await fetch(server.url + path);
          await response.arrayBuffer();
          expect({ path, status: response.status }).toEqual({ path, status: 200 });
        }
        expect((await postJson(`${server.url}/api/agents`, makeNewAgent())).status).toBe(201);
      }
    }
    expect(await peakMemory(server)).toBeLessThan(MAX_MEMORY);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });
});

test.skipIf(!existsSync('/proc/self/status'))('rendered Open Graph images are freed (needs /proc)', async () => {
  // Images belong to the site.
  const webDir = join(folder, 'web');
  await mkdir(join(webDir, 'server'), { recursive: true });
  await writeFile(join(webDir, 'index.html'), '');
  await writeFile(join(webDir, 'server', 'package.json'), '{ "type": "module" }');
  await writeFile(join(webDir, 'server', 'entry-server.js'), 'export {};');
  const env = { PORT: '0', DATABASE_URL: `file:${join(folder, 'registry.db')}` };
  const server = await startServerProcess(folder, env, { options: { webDir } });
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  const draw = async (from: number, amount: number) => {
    for (const id of ids.slice(from, from + amount)) {
      const response = await fetch(`${server.url}/agent/${id}/picture.png`);
      await response.arrayBuffer();
      expect(response.status).toBe(200);
    }
    return peakMemory(server);
  };
  const before = await draw(0, 20);
  // The pixels of one image take 3 MB.
  expect((await draw(20, 60)) - before).toBeLessThan(60 * 2e6);
});
