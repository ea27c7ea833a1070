import { once } from 'node:events';
import { get, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { OverloadError } from '../../registry-error.ts';
import { send } from '../../testing/test-app.ts';
import { trackConnections } from './connection.ts';
import { registerErrorHandler } from './error-handler.ts';
import { defaultSlowClientLimits, registerSlowClients, type SlowClientLimits } from './slow-clients.ts';
import { runsAll } from '../../testing/tier.ts';

/** More than the kernel buffers for a client that does not read. */
const LARGE = 16 * 2 ** 20;
const ROOM = 2.5 * LARGE;

let app: FastifyInstance;
let url: string;
let finishMaking: () => void;

/** An address that may be a proxy; others, such as 127.0.0.2, are those of one client. */
const PROXY = '127.0.0.1';

async function start(limits: Partial<SlowClientLimits>) {
  app = Fastify({ forceCloseConnections: true });
  const connections = trackConnections(app.server, (address) => address === PROXY);
  registerSlowClients(app, connections, { ...defaultSlowClientLimits, ...limits });
  registerErrorHandler(app, connections, { charge: async () => {}, consume: async () => ({}) });
  const shared = Buffer.alloc(LARGE);
  app.get('/small', () => 'small');
  app.get('/shared', (_request, reply) => reply.header('etag', '"shared"').send(shared));
  app.get('/own', (_request, reply) => reply.header('etag', '"own"').send(Buffer.alloc(LARGE)));
  app.get('/larger-than-all', () => Buffer.alloc(2 * ROOM));
  app.get('/making', async (_request, reply) => {
    if (!reply.holdBytes(ROOM)) throw new OverloadError('No room');
    await new Promise<void>((resolve) => (finishMaking = resolve));
    return 'made';
  });
  app.get('/medium', () => Buffer.alloc(400_000));
  app.get('/text', () => 'x'.repeat(LARGE));
  app.get('/chunks', (_request, reply) => reply.send(Readable.from(chunks())));
  app.get('/endless', (_request, reply) => reply.send(Readable.from(chunks(16_384), { objectMode: false })));
  app.get('/file', { config: { isFile: true } }, () => Buffer.alloc(LARGE));
  app.get('/never-file', { config: { isFile: true } }, () => new Promise(() => {}));
  app.get('/first-byte', (_request, reply) => reply.send(Readable.from(firstByte(), { objectMode: false })));
  app.get('/never', () => new Promise(() => {}));
  app.post('/own', { config: { isWrite: true } }, () => Buffer.alloc(LARGE));
  app.post('/found', () => Buffer.alloc(LARGE));
  app.get('/write', { config: { isWrite: true } }, () => Buffer.alloc(LARGE));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
}

/** A stream of large chunks, or of small ones. */
function* chunks(size = LARGE) {
  for (;;) yield Buffer.alloc(size);
}

/** A stream that has one byte and no end. */
async function* firstByte() {
  yield 'x';
  await new Promise(() => {});
}

afterEach(() => app.close());

/** Sends requests on a connection and reads nothing of the responses. */
function ask(path: string, count = 1, localAddress = PROXY): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count));
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** The status of a response that is read to its end. */
const statusOf = async (path: string, method = 'GET') => {
  const [response] = (await once(request(url + path, { method, agent: false }).end(), 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return response.statusCode;
};
/** The status of a response to another address, of which nothing more is read. */
const statusFor = async (localAddress: string, path: string) => {
  const [response] = (await once(get(url + path, { localAddress, agent: false }), 'response')) as [IncomingMessage];
  response.destroy();
  return response.statusCode;
};
const countConnections = () => promisify(app.server.getConnections.bind(app.server))();

test.runIf(runsAll).each(runsAll ? ['/own', '/text', '/chunks'] : ['/chunks'])(
  'while clients do not read %s, large reads are refused; small reads and every write are answered',
  async (path) => {
    await start({ pendingBytes: ROOM });
    const stalled = [ask(path), ask(path)];
    await expect.poll(() => statusOf('/own')).toBe(503);
    const { headers, body } = await send(`${url}/own`);
    expect(headers).toMatchObject({ 'retry-after': '2', 'content-type': 'text/plain; charset=utf-8' });
    expect(headers).not.toHaveProperty('etag');
    expect(body).toBe('The registry has too much to do for the moment; please try again in a few seconds.');
    expect(await statusOf('/small')).toBe(200);
    expect(await statusOf('/own', 'HEAD')).toBe(200);
    expect(await statusOf('/own', 'POST')).toBe(200);
    expect(await statusOf('/found', 'POST')).toBe(503);
    expect(await statusOf('/write')).toBe(503);

    for (const socket of stalled) socket.destroy();
    await expect.poll(() => statusOf('/own')).toBe(200);
    expect(await statusOf('/larger-than-all')).toBe(200);
  },
);

test.runIf(runsAll).each(runsAll ? ['/own', '/text', '/chunks'] : ['/chunks'])(
  'one client may leave a quarter of the bound unread, of %s',
  async (path) => {
    await start({ pendingBytes: 4 * ROOM });
    for (let count = 0; count < 2; count += 1) ask(path, 1, '127.0.0.2');
    await expect.poll(() => statusFor('127.0.0.2', '/own')).toBe(503);
    expect(await statusFor('127.0.0.2', '/small')).toBe(200);
    for (const address of ['127.0.0.3', PROXY]) expect(await statusFor(address, '/own')).toBe(200);

    for (let count = 0; count < 2; count += 1) ask(path);
    await expect.poll(countConnections).toBe(4);
    expect(await statusFor(PROXY, '/own')).toBe(200);
  },
);

test('the bytes of a body that is being made count until it is sent, and there must be room for them', async () => {
  await start({ pendingBytes: ROOM });
  const made = send(`${url}/making`);
  await expect.poll(async () => (await send(`${url}/own`)).status).toBe(503);
  expect((await send(`${url}/making`)).status).toBe(503);
  expect((await send(`${url}/small`)).status).toBe(200);
  finishMaking();
  expect((await made).status).toBe(200);
  expect((await send(`${url}/own`)).status).toBe(200);
});

test('beyond the bound small bodies are sent, one on each connection', async () => {
  await start({ pendingBytes: 1 });
  expect(await statusOf('/own')).toBe(503);
  expect(await statusOf('/small')).toBe(200);
  const pipelining = ask('/small', 2);
  await new Promise((resolve) => pipelining.once('close', resolve).resume());
});

test('files take nothing of the bound', async () => {
  await start({ pendingBytes: ROOM });
  for (let count = 0; count < 4; count += 1) ask('/file');
  await expect.poll(countConnections).toBe(4);
  expect(await statusOf('/own')).toBe(200);
  expect(await statusOf('/file')).toBe(200);
});

test('no more than two files are pipelined on a connection', async () => {
  await start({});
  const kept = ask('/never-file', 2);
  const ended = ask('/never-file', 3);
  await new Promise((resolve) => ended.once('close', resolve).resume());
  expect(kept.destroyed).toBe(false);
  expect(await countConnections()).toBe(1);
});

test('of a stream that a client does not read, only the bytes that wait are counted', async () => {
  await start({ pendingBytes: LARGE + 2 ** 20 });
  for (let count = 0; count < 20; count += 1) ask('/first-byte');
  await expect.poll(countConnections).toBe(20);
  await once(ask('/own'), 'readable');
  await expect.poll(() => statusOf('/medium'), { timeout: 5_000 }).toBe(200);
});

test('a buffer that many responses share counts once', async () => {
  await start({ pendingBytes: ROOM });
  for (let count = 0; count < 20; count += 1) ask('/shared');
  await expect.poll(countConnections).toBe(20);
  for (const path of ['/shared', '/own', '/shared']) expect(await statusOf(path)).toBe(200);
});

test.runIf(runsAll)('a client below the lowest rate is disconnected, a faster one is not', async () => {
  await start({ rate: 2 ** 24, grace: 300 });
  let received = 0;
  ask('/endless').on('data', (chunk: Buffer) => (received += chunk.length));
  for (const path of ['/own', '/endless']) ask(path);
  await expect.poll(countConnections).toBe(3);
  await expect.poll(countConnections).toBe(1);
  const before = received;
  await expect.poll(() => received).toBeGreaterThan(before);
});

test.runIf(runsAll)('a connection without waiting bytes is kept for any time', async () => {
  await start({ rate: 2 ** 30, grace: 1 });
  ask('/never');
  const stalled = ask('/own');
  await expect.poll(countConnections).toBe(2);
  await expect.poll(countConnections).toBe(1);
  expect(stalled.destroyed).toBe(false);
});

test('more unanswered requests than may be pipelined close the connection', async () => {
  await start({ pipelined: 10 });
  const kept = ask('/never', 10);
  await expect.poll(countConnections).toBe(1);
  const ended = ask('/never', 1_000);
  await new Promise((resolve) => ended.once('close', resolve).resume());
  expect(kept.destroyed).toBe(false);
  expect(await countConnections()).toBe(1);
});

test('any number of pipelined requests may be answered on a connection', async () => {
  await start({ pipelined: 10 });
  const socket = ask('/small', 10);
  let answers = '';
  socket.on('data', (chunk: Buffer) => {
    answers += chunk.toString();
    if (answers.split('HTTP/1.1 200').length === 11) socket.write('GET /small HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10));
  });
  await expect.poll(() => answers.split('HTTP/1.1 200')).toHaveLength(21);
});
