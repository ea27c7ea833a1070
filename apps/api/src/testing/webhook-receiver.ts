import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a receiver got. */
export type ReceivedRequest = { path: string; headers: IncomingHttpHeaders; body: string };

/** A server that answers as a test wants it, and keeps the requests. */
export type WebhookReceiver = {
  url: string;
  requests: ReceivedRequest[];
  /** The next responses; after them each is 204. */
  responses: { status: number; location?: string }[];
  /** Resolves when a number of requests were answered. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
};

/** Starts a receiver of webhooks on loopback. Its path stands for a token, as chat rooms have one. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = [];
  const responses: WebhookReceiver['responses'] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      const { status, location } = responses.shift() ?? { status: 204 };
      response.writeHead(status, location === undefined ? {} : { location }).end();
      server.emit('answered');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/token-of-a-room`,
    requests,
    responses,
    async received(count) {
      while (requests.length < count) await once(server, 'answered');
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
