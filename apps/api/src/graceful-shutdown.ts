import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long a connection that has not said a word is waited for once nothing new is accepted, in milliseconds. */
const SILENCE = 500;
/** How often connections whose answer is over are looked for then, in milliseconds. */
const IDLE_INTERVAL = 50;

/** How an application ends, in milliseconds. */
export type ShutdownOptions = {
  /** How long it still accepts, so that who distributes the requests can notice and send them elsewhere. */
  delay: number;
  /** How long after that it waits for answers under way, at most. */
  timeout: number;
};

/**
 * Has an application end so that no answer breaks: from `shuttingDown` on each answer says that its connection
 * closes. The function that it gives does the rest: it still accepts for a while, waits for what is under way and runs
 * the hooks that close what the application works with.
 */
export function createShutdown(
  app: FastifyInstance,
  shuttingDown: AbortSignal,
): (options: ShutdownOptions) => Promise<void> {
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (shuttingDown.aborted) reply.header('Connection', 'close');
    done(null, payload);
  });

  return async ({ delay, timeout }) => {
    await wait(delay);
    // An answer that began before has promised to keep its connection, so it is kept as long as requests are accepted.
    const dropIdle = setInterval(() => app.server.closeIdleConnections(), IDLE_INTERVAL);
    // Node takes a connection without a request for one whose request is under way.
    const dropSilent = setTimeout(() => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    }, SILENCE);
    const dropAll = setTimeout(() => {
      app.log.warn({ connections: connections.size }, 'Answers that take too long are broken off.');
      for (const socket of connections) socket.destroy();
    }, timeout);
    try {
      await app.close();
    } finally {
      clearInterval(dropIdle);
      clearTimeout(dropSilent);
      clearTimeout(dropAll);
    }
  };
}
