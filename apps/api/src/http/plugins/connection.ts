import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { HttpError } from '../../http-error.ts';
import { clientKeys } from '../../rate-limit/rate-limiter.ts';

/** The bytes that one response holds in memory: its own, and a buffer that other responses may hold too. */
type HeldBytes = { own: number; buffer?: Buffer | undefined };
/** A count of the bytes that responses hold. A buffer that several responses hold counts once. */
export type ByteCount = ReturnType<typeof createByteCount>;

/** The estimated size of a request and its response without the body, in bytes. */
export const RESPONSE_SIZE = 8_192;
/** The part of the connections and of the waiting bytes that one client may take, unless it may be a proxy. */
export const CLIENT_SHARE = 1 / 4;

export type Client = {
  key: string;
  mayBeProxy: boolean;
  connections: number;
  idle: Set<Connection>;
  pending: ByteCount;
};

export type Connection = {
  socket: Socket;
  client: Client;
  latest: IncomingMessage | undefined;
  /** The responses that are not sent to their end, in the order of their requests. */
  unfinished: Map<ServerResponse, Pending>;
  /** When no bytes waited in the socket for the last time, and how many had been written by then. */
  lastDrained: { at: number; bytesWritten: number };
};

/** What waits of a response: the bytes that it holds, and the stream from which they come. */
export type Pending = { held: HeldBytes; stream?: object | undefined };
export type Connections = ReturnType<typeof trackConnections>;

/** `mayBeProxy` tells whether others may connect through an address. */
export function trackConnections(server: Server, mayBeProxy: (address: string) => boolean = () => false) {
  const connections = new Map<Socket, Connection>();
  const clients = new Map<string, Client>();
  const idle = new Set<Connection>();
  const pending = createByteCount();

  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const { client: key } = clientKeys(remoteAddress);
    const client = clients.get(key) ?? createClient(key, mayBeProxy(remoteAddress));
    clients.set(key, client);
    client.connections += 1;
    const lastDrained = { at: performance.now(), bytesWritten: 0 };
    const connection: Connection = { socket, client, latest: undefined, unfinished: new Map(), lastDrained };
    connections.set(socket, connection);
    setIdle(connection, true, idle);
    socket.once('close', () => remove(connection));
  });

  // Node emits the second event for a request whose Expect header it does not know.
  for (const event of ['request', 'checkExpectation'] as const) {
    server.prependListener(event, (request: IncomingMessage, response: ServerResponse) => {
      const connection = connections.get(request.socket);
      if (!connection) return;
      connection.latest = request;
      setIdle(connection, false, idle);
      begin(connection, response, { held: { own: RESPONSE_SIZE } });
      response.once('close', () => end(connection, response));
    });
  }

  return {
    get size(): number {
      return connections.size;
    },
    idle: idle as ReadonlySet<Connection>,
    pending,
    /** Requests that Node or Fastify refuses before our hooks run. */
    refused: new WeakMap<IncomingMessage, HttpError>(),
    all: () => connections.values(),
    /** The connection of a socket; undefined once it is closed, and for an injected request. */
    find: (socket: Socket) => connections.get(socket),
    close(connection: Connection): void {
      // Before the event, which comes later than further connections.
      remove(connection);
      connection.socket.destroy();
    },
    setPending(connection: Connection, response: ServerResponse, next: Pending): void {
      const { client, unfinished } = connection;
      const before = unfinished.get(response);
      if (!before) return;
      unfinished.set(response, next);
      for (const count of [pending, client.pending]) {
        count.remove(before.held);
        count.add(next.held);
      }
    },
  };

  function begin({ client, unfinished }: Connection, response: ServerResponse, begun: Pending): void {
    unfinished.set(response, begun);
    for (const count of [pending, client.pending]) count.add(begun.held);
  }

  function end(connection: Connection, response: ServerResponse): void {
    const { client, socket, unfinished } = connection;
    const ended = unfinished.get(response);
    if (!ended) return;
    unfinished.delete(response);
    for (const count of [pending, client.pending]) count.remove(ended.held);
    if (unfinished.size === 0 && connections.has(socket)) setIdle(connection, true, idle);
  }

  function remove(connection: Connection): void {
    const { client, socket, unfinished } = connection;
    if (!connections.delete(socket)) return;
    for (const response of unfinished.keys()) end(connection, response);
    setIdle(connection, false, idle);
    client.connections -= 1;
    if (client.connections === 0) clients.delete(client.key);
  }
}

function setIdle(connection: Connection, isIdle: boolean, idle: Set<Connection>): void {
  for (const set of [idle, connection.client.idle]) {
    if (isIdle) set.add(connection);
    else set.delete(connection);
  }
}

function createClient(key: string, mayBeProxy: boolean): Client {
  return { key, mayBeProxy, connections: 0, idle: new Set(), pending: createByteCount() };
}

/**
 * Aborts when the connection of a read closes; none for other requests. A client that closes only its side may still read
 * the response, and a close looks the same until the connection is reset.
 */
export function signalOf({ method, raw, signal }: FastifyRequest): AbortSignal | undefined {
  // Node closes a request with a body once it was read.
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  // Fastify's signal does not report a connection that closed before.
  return raw.destroyed ? AbortSignal.abort() : signal;
}

function createByteCount() {
  const holders = new Map<Buffer, number>();
  let total = 0;
  /** The bytes that a buffer would add: none if a response holds it already. */
  const sizeOf = (buffer: Buffer) => (holders.has(buffer) ? 0 : buffer.length);

  return {
    get total(): number {
      return total;
    },
    sizeOf,
    add({ own, buffer }: HeldBytes): void {
      total += own;
      if (!buffer) return;
      total += sizeOf(buffer);
      holders.set(buffer, (holders.get(buffer) ?? 0) + 1);
    },
    remove({ own, buffer }: HeldBytes): void {
      total -= own;
      if (!buffer) return;
      const others = (holders.get(buffer) ?? 1) - 1;
      if (others > 0) holders.set(buffer, others);
      else {
        holders.delete(buffer);
        total -= buffer.length;
      }
    },
  };
}
