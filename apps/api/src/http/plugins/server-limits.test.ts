import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { MAX_PAGE_SIZE } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeFailingStore, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { trackConnections } from './connection.ts';
import { registerServerLimits } from './create-server.ts';
import { runsAll } from '../../testing/tier.ts';

const log: string[] = [];
const timeouts = { headersTimeout: 300, requestTimeout: 600, connectionTimeout: 1_700, keepAliveTimeout: 100 };
let app: TestApp;
let pagesRead = 0;

beforeAll(async () => {
  const agents = Array.from({ length: MAX_PAGE_SIZE }, () => makeAgent({ description: 'd'.repeat(2_000) }));
  app = await startTestApp({
    ...timeouts,
    logger: { level: 'error', stream: { write: (line: string) => void log.push(line) } },
    agents: {
      ...makeFailingStore(),
      version: async () => '1',
      isStandby: async () => false,
      async *stream({ category } = {}) {
        for (let chunk = 0; chunk < 10_000; chunk += 1) {
          pagesRead += 1;
          await wait(category === 'vision' ? 20 : 0);
          yield agents;
        }
      },
    },
    // A list is streamed from its first page on.
    CACHE_SIZE: 0,
  });
});

afterAll(() => app.close());

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    app.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

function open(): Socket {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

test.each([
  ['nothing', ''],
  ['headers byte by byte', 'GET /api/stats HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  [
    'a body byte by byte',
    'POST /api/agents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n',
  ],
])('a client that sends %s gets 408 and a sentence while other clients are served', async (_what, start) => {
  const slow = open();
  slow.write(start);
  const trickle = setInterval(() => start && slow.writable && slow.write('x'), 50);
  onTestFinished(() => clearInterval(trickle));
  const answer = text(slow);

  for (let served = 0; served < 50 && !slow.closed; served += 1) {
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
    await wait(20);
  }
  const [head = '', body] = (await answer).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/im);
  expect(head).toMatch(/^Connection: close$/im);
  expect(body).toBe('The request took too long.');
});

test.runIf(runsAll)('an idle keep-alive connection is closed', async () => {
  const socket = open();
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await text(socket)).toMatch(/alive$/);
});

test('a client that reads nothing of its response is disconnected, and the list is no longer read', async () => {
  const socket = open();
  socket.write('GET /api/agents HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(countConnections).toBe(0);
  // Reading has stopped once two polls see the same count.
  let before = -1;
  await expect
    .poll(() => {
      const hasStopped = before === pagesRead;
      before = pagesRead;
      return hasStopped;
    })
    .toBe(true);
});

test.runIf(runsAll)('a request timeout during a response adds no bytes to the response', async () => {
  const socket = open();
  socket.write('GET /api/agents/category/vision HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  const answer = Buffer.concat(chunks).toString();
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(answer.split('HTTP/1.1')).toHaveLength(2);
  expect(answer).not.toContain('too long');
});

test('a connection that cannot be accepted is a logged error', () => {
  log.length = 0;
  app.app.server.emit('error', new Error('accept EMFILE'));
  expect(log).toEqual([expect.stringContaining('accept EMFILE')]);
});

describe('of eight connections', () => {
  const PROXY = '127.0.0.1';

  /** Starts a server whose responses to `/never` have no end. */
  async function start() {
    const warnings: string[] = [];
    const server = Fastify({
      forceCloseConnections: true,
      logger: { level: 'warn', stream: { write: (line: string) => void warnings.push(line) } },
    });
    onTestFinished(() => server.close());
    registerServerLimits(
      server,
      trackConnections(server.server, (address) => address === PROXY),
      8,
    );
    const asked: number[] = [];
    server.get('/', () => 'done');
    server.get('/never', ({ socket }) => {
      asked.push(socket.remotePort ?? 0);
      return new Promise(() => {});
    });
    const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
    const open = async (localAddress: string, count = 1) => {
      const sockets: Socket[] = [];
      while (sockets.length < count) {
        const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }).on('error', () => {});
        onTestFinished(() => void socket.destroy());
        await once(socket, 'connect');
        sockets.push(socket.resume());
      }
      return sockets;
    };
    /** Sends a request on each connection, so that it is not idle. */
    const occupy = async (sockets: readonly Socket[]) => {
      for (const socket of sockets) {
        socket.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
        await expect.poll(() => asked).toContain(socket.localPort);
      }
    };
    return { open, occupy, warnings };
  }

  async function expectOpen(sockets: readonly Socket[]): Promise<void> {
    for (const socket of sockets) {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200/);
    }
  }

  const expectClosed = (socket: Socket) => expect.poll(() => socket.closed).toBe(true);

  test('a client keeps two, the latest used; others keep theirs', async () => {
    const { open } = await start();
    const [others, [first, second]] = [await open('127.0.0.3', 2), (await open('127.0.0.2', 2)) as [Socket, Socket]];
    await expectOpen([first]);
    const third = await open('127.0.0.2');
    await expectClosed(second);
    await expectOpen([...others, first, ...third]);
  });

  test('a client that uses two gets no third', async () => {
    const { open, occupy } = await start();
    const used = await open('127.0.0.2', 2);
    await occupy(used);
    const [third] = (await open('127.0.0.2')) as [Socket];
    await expectClosed(third);
    expect(used.map(({ closed }) => closed)).toEqual([false, false]);
    await expectOpen(await open('127.0.0.3'));
  });

  test('an address that may be a proxy has all, and a new client gets the longest idle of them', async () => {
    const { open, occupy, warnings } = await start();
    const [busy, idle] = [await open(PROXY, 3), await open(PROXY, 5)];
    await occupy(busy);
    await expectOpen(idle);
    const latest = await open('127.0.0.2', 2);
    await expectClosed(idle[0]!);
    await expectClosed(idle[1]!);
    await expectOpen([...idle.slice(2), ...latest]);
    await occupy([...idle.slice(2), ...latest]);
    const [refused] = (await open('127.0.0.3')) as [Socket];
    await expectClosed(refused);
    expect(busy.map(({ closed }) => closed)).toEqual([false, false, false]);
    expect(warnings).toEqual([expect.stringContaining('as many as allowed are open')]);
  });
});
