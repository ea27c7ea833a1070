import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { OverloadError } from '../../http-error.ts';
import { RESPONSE_SIZE, type Connection, type Connections, type Pending } from './connection.ts';

/** The bounds that keep slow clients from filling the memory. */
export type SlowClientLimits = {
  /** The most bytes of responses that wait for their clients, over all connections. */
  pendingBytes: number;
  /** The most unanswered requests of one connection. */
  pipelined: number;
  /** The slowest client that is waited for, in bytes a second. */
  rate: number;
  /** How long a client may be slower than that, in milliseconds. */
  grace: number;
};

/** A slow mobile line is some ten times as fast; HTTP clients rarely pipeline more than a few requests. */
export const defaultSlowClientLimits: SlowClientLimits = {
  pendingBytes: 64 * 2 ** 20,
  pipelined: 20,
  rate: 8_192,
  grace: 20_000,
};

/** How often connections are checked, in milliseconds. */
const CHECK_INTERVAL = 1_000;
/** The assumed size of a stream until it is measured, in bytes. */
const STREAM_SIZE = 65_536;
/** Headers that describe the refused body. */
const BODY_HEADERS = ['content-encoding', 'etag', 'last-modified', 'link'];

/**
 * Bounds the memory that responses take until their clients have read them. Streams have backpressure; a buffer is held
 * until its last byte is sent. Beyond the bound reads are refused with 503, and clients that read too slowly or
 * pipeline too much are cut off.
 */
export function registerSlowClients(app: FastifyInstance, connections: Connections, limits: SlowClientLimits): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw;
    const requests = connections.find(socket)?.unfinished.size ?? 0;
    const isFull = connections.pending.total > limits.pendingBytes;
    if (requests > limits.pipelined || (requests > 1 && isFull)) socket.destroy();
    // Node goes on to parse the requests of the same packet, whose responses nobody can read.
    if (!socket.destroyed) done();
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const connection = connections.find(request.raw.socket);
    if (!connection || request.method === 'HEAD') return done(null, payload);
    const { pending } = connections;
    const size = Buffer.isBuffer(payload) ? pending.sizeOf(payload) : sizeOf(payload);
    // A body of more than half the bound is sent, too, while there is room for half.
    const isTooMuch = size > 0 && pending.total + Math.min(size, limits.pendingBytes / 2) > limits.pendingBytes;
    // The response to a POST acknowledges a change, so it is always sent.
    if (isTooMuch && request.method === 'GET' && reply.statusCode < 400) {
      for (const name of BODY_HEADERS) reply.removeHeader(name);
      return done(new OverloadError('Too many bytes wait for slow clients'));
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
        const own = RESPONSE_SIZE + Math.max(STREAM_SIZE, response.writableLength);
        connections.setPending(connection, response, { held: { own }, stream });
      }
    }
  }, CHECK_INTERVAL).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
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
  const stream = payload instanceof Readable ? payload : undefined;
  return { held: { own: RESPONSE_SIZE + sizeOf(payload) }, stream };
}

function sizeOf(payload: unknown): number {
  if (payload === undefined || payload === null) return 0;
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : STREAM_SIZE;
}
