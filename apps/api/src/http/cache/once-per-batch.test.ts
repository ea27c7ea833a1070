import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { oncePerBatch } from './once-per-batch.ts';

test('a value is read once for what the event loop takes in together, and again for what comes after', async () => {
  let reads = 0;
  const read = oncePerBatch(() => (reads += 1));
  const server = createServer((socket) => void socket.on('data', () => socket.write(String(read() === read())))).listen(
    0,
  );
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as { port: number }).port);
  onTestFinished(() => void socket.destroy());
  for (const expected of [1, 2, 3]) {
    socket.write('?');
    expect(String(await once(socket, 'data'))).toBe('true');
    expect(reads).toBe(expected);
  }
});
