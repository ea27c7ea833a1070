import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long a connection that has sent nothing is kept once no new ones are accepted, in milliseconds. */
const SILENCE = 500;
/** How often idle connections are closed then, in milliseconds. */
const IDLE_INTERVAL = 50;

/** The phases of graceful shutdown, in milliseconds. */
export type ShutdownOptions = {
  shuttingDown: AbortSignal;
  /** How long new requests are still accepted, so that a load balancer can notice and send them elsewhere. */
  delay: number;
  /** How long responses under way are waited for after that. */
  timeout: number;
};

/**
 * Prepares graceful shutdown. Once `shuttingDown` is aborted, every response has `Connection: close`. The returned
 * function accepts requests for `delay`, then waits for responses under way and runs the `onClose` hooks.
 */
export function createShutdown(
  app: FastifyInstance,
  { shuttingDown, delay, timeout }: ShutdownOptions,
): () => Promise<void> {
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (shuttingDown.aborted) reply.header('Connection', 'close');
    done(null, payload);
  });

  return async () => {
    await wait(delay);
    // Responses that began before the signal have promised to keep their connection.
    const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_INTERVAL);
    // Node does not count a connection without a request as idle.
    const silent = setTimeout(() => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    }, SILENCE);
    const late = setTimeout(() => {
      app.log.warn(
        { connections: connections.size },
        'The time for pending requests is over: responses under way are broken off.',
      );
      app.server.closeAllConnections();
    }, timeout);
    try {
      await app.close();
    } finally {
      clearInterval(idle);
      clearTimeout(silent);
      clearTimeout(late);
    }
  };
}
