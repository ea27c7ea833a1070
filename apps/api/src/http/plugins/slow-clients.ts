import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { OverloadError } from '../../http-error.ts';

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
/** The estimated size of a request and its response without the body, in bytes. */
const RESPONSE_SIZE = 8_192;
/** The assumed size of a stream until it is measured, in bytes. */
const STREAM_SIZE = 65_536;
/** Headers that describe the refused body. */
const BODY_HEADERS = ['content-encoding', 'etag', 'last-modified', 'link'];

type Connection = {
  responses: Map<ServerResponse, PendingResponse>;
  /** When no bytes waited in the socket for the last time, and how many had been written by then. */
  lastIdle: { at: number; bytesWritten: number };
};

/** A response that is not sent to its end: `bytes` without its buffer, which other responses may share. */
type PendingResponse = { bytes: number; buffer?: Buffer | undefined; isStream?: boolean };

/**
 * Bounds the memory that responses take until their clients have read them. Streams have backpressure; a buffer is held
 * until its last byte is sent. Beyond the bound reads are refused with 503, and clients that read too slowly or
 * pipeline too much are cut off.
 */
export function registerSlowClients(app: FastifyInstance, limits: SlowClientLimits): void {
  const connections = new Map<Socket, Connection>();
  /** How many responses hold each buffer: one of the response cache counts once. */
  const buffers = new Map<Buffer, number>();
  let pendingBytes = 0;

  app.server.on('connection', (socket) => {
    const connection = { responses: new Map(), lastIdle: { at: performance.now(), bytesWritten: 0 } };
    connections.set(socket, connection);
    socket.once('close', () => {
      connections.delete(socket);
      for (const response of connection.responses.keys()) release(connection, response);
    });
  });

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const connection = connections.get(socket);
    if (!connection) return done();
    const { responses } = connection;
    responses.set(reply.raw, { bytes: RESPONSE_SIZE });
    pendingBytes += RESPONSE_SIZE;
    reply.raw.once('close', () => release(connection, reply.raw));
    const isFull = pendingBytes > limits.pendingBytes;
    if (responses.size > limits.pipelined || (responses.size > 1 && isFull)) socket.destroy();
    // Node goes on to parse the requests of the same packet, whose responses nobody can read.
    if (!socket.destroyed) done();
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const pending = connections.get(request.raw.socket)?.responses.get(reply.raw);
    if (!pending || request.method === 'HEAD') return done(null, payload);
    const size = Buffer.isBuffer(payload) && buffers.has(payload) ? 0 : sizeOf(payload);
    // A body of more than half the bound is sent, too, while there is room for half.
    const isTooMuch = size > 0 && pendingBytes + Math.min(size, limits.pendingBytes / 2) > limits.pendingBytes;
    // The response to a POST acknowledges a change, so it is always sent.
    if (isTooMuch && request.method === 'GET' && reply.statusCode < 400) {
      for (const name of BODY_HEADERS) reply.removeHeader(name);
      return done(new OverloadError('Too many bytes wait for slow clients'));
    }
    hold(pending, payload);
    done(null, payload);
  });

  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      const { at, bytesWritten } = connection.lastIdle;
      if (socket.writableLength === 0) connection.lastIdle = { at: now, bytesWritten: socket.bytesWritten };
      // Bytes that wait count as written: a large buffer gives its client the time that it needs at the lowest rate.
      else if (now - at > limits.grace + ((socket.bytesWritten - bytesWritten) / limits.rate) * 1_000) socket.destroy();
      for (const [response, pending] of connection.responses) {
        if (pending.isStream) resize(pending, RESPONSE_SIZE + Math.max(STREAM_SIZE, response.writableLength));
      }
    }
  }, CHECK_INTERVAL).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });

  function hold(pending: PendingResponse, payload: unknown): void {
    const { buffer } = pending;
    if (buffer) {
      const users = (buffers.get(buffer) ?? 1) - 1;
      if (users > 0) buffers.set(buffer, users);
      else {
        buffers.delete(buffer);
        pendingBytes -= buffer.length;
      }
    }
    pending.buffer = undefined;
    pending.isStream = false;
    if (Buffer.isBuffer(payload)) {
      if (!buffers.has(payload)) pendingBytes += payload.length;
      buffers.set(payload, (buffers.get(payload) ?? 0) + 1);
      pending.buffer = payload;
      resize(pending, RESPONSE_SIZE);
    } else {
      pending.isStream = typeof payload === 'object' && payload !== null;
      resize(pending, RESPONSE_SIZE + sizeOf(payload));
    }
  }

  function resize(pending: PendingResponse, bytes: number): void {
    pendingBytes += bytes - pending.bytes;
    pending.bytes = bytes;
  }

  function release({ responses }: Connection, response: ServerResponse): void {
    const pending = responses.get(response);
    if (!pending) return;
    hold(pending, undefined);
    pendingBytes -= pending.bytes;
    responses.delete(response);
  }
}

function sizeOf(payload: unknown): number {
  if (payload === undefined || payload === null) return 0;
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : STREAM_SIZE;
}
