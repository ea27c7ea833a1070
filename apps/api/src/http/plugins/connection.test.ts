import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { RESPONSE_SIZE, trackConnections } from './connection.ts';

/** Starts a server whose responses to `/never` have no end. */
async function start() {
  const server = createServer((request, response) => {
    if (request.url !== '/never') response.end('done');
  });
  const connections = trackConnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const open = async (localAddress: string, ...paths: string[]) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).resume();
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    await expect.poll(() => find(socket)).toBeDefined();
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    return socket;
  };
  const find = ({ localPort }: Socket) =>
    [...connections.all()].find((connection) => connection.socket.remotePort === localPort);
  return { connections, open, find };
}

test('connections are idle while no response is under way, the longest idle first', async () => {
  const { connections, open, find } = await start();
  const [first, second, third] = [await open('127.0.0.1'), await open('127.0.0.2'), await open('127.0.0.1')];
  expect([...connections.idle]).toEqual([find(first), find(second), find(third)]);
  expect([...(find(first)?.client.idle ?? [])]).toEqual([find(first), find(third)]);

  first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(first, 'data');
  await expect.poll(() => [...connections.idle]).toEqual([find(second), find(third), find(first)]);
  second.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => [...connections.idle]).toEqual([find(third), find(first)]);
});

test('a client has the connections and the waiting bytes of its address until they are closed', async () => {
  const { connections, open, find } = await start();
  const [one, another] = [await open('127.0.0.1', '/', '/never'), await open('127.0.0.1', '/never', '/never', '/')];
  const other = await open('127.0.0.2', '/never');
  await expect.poll(() => connections.pending.total).toBe(5 * RESPONSE_SIZE);
  expect(find(one)?.client).toMatchObject({ connections: 2, pending: { total: 4 * RESPONSE_SIZE } });
  expect(find(other)?.client).toMatchObject({ connections: 1, pending: { total: RESPONSE_SIZE } });
  expect([...(find(another)?.unfinished.keys() ?? [])].map(({ req }) => req.url)).toEqual(['/never', '/never', '/']);
  expect(find(another)?.latest?.url).toBe('/');

  another.destroy();
  await expect.poll(() => connections.pending.total).toBe(2 * RESPONSE_SIZE);
  expect(find(one)?.client).toMatchObject({ connections: 1, pending: { total: RESPONSE_SIZE } });
  one.destroy();
  other.destroy();
  await expect.poll(() => connections.size).toBe(0);
  expect({ waiting: connections.pending.total, idle: connections.idle.size }).toEqual({ waiting: 0, idle: 0 });
});
