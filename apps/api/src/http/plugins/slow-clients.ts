import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { OverloadError } from '../../registry-error.ts';
import {
  type ByteCount,
  CLIENT_SHARE,
  RESPONSE_SIZE,
  type Connection,
  type Connections,
  type Pending,
} from './connection.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    isFile?: boolean;
    /** Set on routes whose requests other than GET write: their responses are never refused for slow clients. */
    isWrite?: boolean;
  }
  interface FastifyReply {
    /** Counts the bytes of a body that is being made, in place of earlier ones; `false` if there is no room for them. */
    holdBytes(bytes: number): boolean;
  }
}

/** A slow mobile line is some ten times as fast; HTTP clients rarely pipeline more than a few requests. */
export const defaultSlowClientLimits = {
  /** The most bytes of responses that wait for their clients, over all connections; a quarter of them for one client. */
  pendingBytes: 64 * 2 ** 20,
  /** The most unanswered requests of one connection, and when a file is requested. */
  pipelined: 20,
  pipelinedFiles: 2,
  /** The slowest client that is waited for, in bytes a second, and how long it may be slower, in milliseconds. */
  rate: 8_192,
  grace: 20_000,
};

export type SlowClientLimits = typeof defaultSlowClientLimits;

const CHECK_INTERVAL = 1_000;
/** The assumed size of a stream until it is measured, in bytes: that of the largest piece of a list. */
const STREAM_SIZE = 2 ** 20;
/** Bodies of up to this size, in bytes, are never refused. Most compressed pages and lists are smaller. */
const SMALL_BODY = 32_768;
const BODY_HEADERS = ['content-encoding', 'etag', 'last-modified', 'link'];

/** Bounds the memory of responses until their clients have read them; cuts off clients that read too slowly. */
export function registerSlowClients(app: FastifyInstance, connections: Connections, limits: SlowClientLimits): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw;
    const connection = connections.find(socket);
    if (!connection) return done();
    const requests = connection.unfinished.size;
    const isTooMany = requests > (request.routeOptions.config.isFile ? limits.pipelinedFiles : limits.pipelined);
    if (isTooMany || (requests > 1 && isFull(connection))) socket.destroy();
    // Node goes on to parse the requests of the same packet, whose responses nobody can read.
    if (!socket.destroyed) done();
  });

  app.decorateReply('holdBytes', function holdBytes(this: FastifyReply, bytes: number) {
    const connection = connections.find(this.request.raw.socket);
    if (!connection) return true;
    connections.setPending(connection, this.raw, { held: { own: RESPONSE_SIZE } });
    if (bytes > SMALL_BODY && !hasRoom(connection, bytes)) return false;
    connections.setPending(connection, this.raw, { held: { own: RESPONSE_SIZE + bytes } });
    return true;
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const { socket } = request.raw;
    const connection = connections.find(socket);
    // A file is in memory whether or not it is being sent.
    const { isFile, isWrite } = request.routeOptions.config;
    if (!connection || request.method === 'HEAD' || isFile) return done(null, payload);
    // The response to a write acknowledges a change, so it is always sent.
    const isAcknowledgement = isWrite === true && request.method !== 'GET';
    // What was held while the body was made is in it now.
    connections.setPending(connection, reply.raw, { held: { own: RESPONSE_SIZE } });
    if (!isAcknowledgement && reply.statusCode < 400 && !hasRoom(connection, payload)) {
      if (sizeOf(payload) > SMALL_BODY) {
        for (const name of BODY_HEADERS) reply.removeHeader(name);
        return done(new OverloadError('Too many bytes wait for slow clients'));
      }
      // Small bodies are not refused, so one of each connection may wait beyond the bound.
      if (connection.unfinished.size > 1) socket.destroy();
    }
    connections.setPending(connection, reply.raw, toPending(payload));
    done(null, payload);
  });

  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections.all()) {
      disconnectIfSlow(connection, now, limits);
      for (const [response, { stream }] of connection.unfinished) {
        if (!stream) continue;
        const own = RESPONSE_SIZE + response.writableLength + bufferedIn(stream);
        connections.setPending(connection, response, { held: { own }, stream });
      }
    }
  }, CHECK_INTERVAL).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });

  /** The counts of the bytes that wait: for all clients, and for the client of a connection. */
  function boundsOf({ client }: Connection): [count: ByteCount, bound: number][] {
    const { pendingBytes } = limits;
    const ofAll: [ByteCount, number] = [connections.pending, pendingBytes];
    return client.mayBeProxy ? [ofAll] : [ofAll, [client.pending, pendingBytes * CLIENT_SHARE]];
  }

  function isFull(connection: Connection): boolean {
    return boundsOf(connection).some(([count, bound]) => count.total > bound);
  }

  function hasRoom(connection: Connection, payload: unknown): boolean {
    return boundsOf(connection).every(([count, bound]) => {
      const size = Buffer.isBuffer(payload) ? count.sizeOf(payload) : sizeOf(payload);
      // A body of more than half the bound is sent, too, while there is room for half.
      return size === 0 || count.total + Math.min(size, bound / 2) <= bound;
    });
  }
}

function disconnectIfSlow(connection: Connection, now: number, { grace, rate }: SlowClientLimits): void {
  const { socket, lastDrained } = connection;
  const { writableLength, bytesWritten } = socket;
  // Bytes that wait count as written: a large buffer gives its client the time that it needs at the lowest rate.
  const patience = grace + ((bytesWritten - lastDrained.bytesWritten) / rate) * 1_000;
  if (writableLength === 0) connection.lastDrained = { at: now, bytesWritten };
  else if (now - lastDrained.at > patience) socket.destroy();
}

function toPending(payload: unknown): Pending {
  if (Buffer.isBuffer(payload)) return { held: { own: RESPONSE_SIZE, buffer: payload } };
  const stream = typeof payload === 'object' && payload !== null ? payload : undefined;
  return { held: { own: RESPONSE_SIZE + sizeOf(payload) }, stream };
}

function bufferedIn(stream: object): number {
  return stream instanceof Readable && !stream.readableObjectMode ? stream.readableLength : 0;
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'number') return payload;
  if (payload === undefined || payload === null) return 0;
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : STREAM_SIZE;
}
