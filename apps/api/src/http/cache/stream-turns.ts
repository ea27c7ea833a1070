import { setTimeout } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { clientKeys } from '../../rate-limit/client-keys.ts';
import { RegistryError } from '../../registry-error.ts';

/** Seconds after which a client may ask again for a list besides another. */
const RETRY_AFTER = 10;

/** The turns in which the streams of a client are read, one at a time. */
export type StreamTurns = {
  /**
   * Waits for the turn of a response, which lasts until the response is closed or leaves.
   * @throws {RegistryError} `too-many` if it does not come in half of the time of the request
   */
  take(reply: FastifyReply): Promise<void>;
  leave(reply: FastifyReply): void;
};

/** Creates the turns of all clients. */
export function createStreamTurns(): StreamTurns {
  /** The end of the last turn of each client. */
  const lines = new Map<string, Promise<void>>();
  const leaves = new WeakMap<FastifyReply, () => void>();
  return {
    async take(reply) {
      const { raw, request } = reply;
      // A response that is closed already emits no event.
      if (leaves.has(reply) || raw.closed) return;
      const { client, network = client } = clientKeys(request.ip);
      const { promise: ended, resolve: leave } = Promise.withResolvers<void>();
      raw.once('close', leave);
      leaves.set(reply, leave);
      const before = lines.get(network);
      const line: Promise<void> = Promise.all([before, ended]).then(() => {
        if (lines.get(network) === line) lines.delete(network);
      });
      lines.set(network, line);
      if (before) await waitFor(before, (request.deadline - performance.now()) / 2);
    },
    leave: (reply) => leaves.get(reply)?.(),
  };
}

async function waitFor(turn: Promise<void>, time: number): Promise<void> {
  const timer = new AbortController();
  const late = setTimeout(Math.max(0, time), undefined, timer).then(() => {
    throw new RegistryError(
      'too-many',
      'Your address already receives a full list. Ask again when it has ended, or for pages with limit',
      { headers: { 'Retry-After': String(RETRY_AFTER) } },
    );
  });
  try {
    await Promise.race([turn, late]);
  } finally {
    timer.abort();
  }
}
