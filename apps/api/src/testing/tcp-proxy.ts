import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy between a process and its database, to lose connections silently. */
export type TcpProxy = {
  port: number;
  /** Stops passing bytes, on connections that are open and on new ones; it keeps them open. */
  mute(): void;
  /** Passes the bytes of new connections again; muted connections stay lost. */
  unmute(): void;
  close(): void;
};

/** Starts a proxy to a port of the loopback address. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isMuted = false;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isMuted) from.pause();
      else from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    mute() {
      isMuted = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    unmute() {
      isMuted = false;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
