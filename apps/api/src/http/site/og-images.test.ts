import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultCategories, defaultSiteConfig, getCategory } from '@agent-registry/contracts';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { registerResponseCache } from '../cache/response-cache.ts';
import { MAX_WAITING_PER_CLIENT } from '../../rate-limit/task-queue.ts';
import { trackConnections } from '../plugins/connection.ts';
import { registerDeadline } from '../plugins/create-server.ts';
import { registerErrorHandler } from '../plugins/error-handler.ts';
import { defaultSlowClientLimits, registerSlowClients } from '../plugins/slow-clients.ts';
import { registerOgImages } from './og-images.ts';
import type { OgImageContent } from './render-og-image.ts';

const agents = Array.from({ length: MAX_WAITING_PER_CLIENT + 2 }, (_, index) =>
  makeAgent({ name: `Agent ${index}`, description: 'x\n'.repeat(200), pricingModel: 'free', apiAccess: 'yes' }),
);
const toPath = (index: number) => `/agent/${agents[index]!.id}/picture.png`;

/** Serves images that are rendered once `finish` is called. */
async function startApp() {
  const app = Fastify({ forceCloseConnections: true });
  const rendering = Promise.withResolvers<void>();
  onTestFinished(async () => {
    rendering.resolve();
    await app.close();
  });
  const rendered: OgImageContent[] = [];
  const connections = trackConnections(app.server);
  registerErrorHandler(app, connections, { charge: async () => {}, consume: async () => ({}) });
  registerSlowClients(app, connections, defaultSlowClientLimits);
  registerDeadline(app, 5_000);
  registerOgImages(app, {
    siteConfig: defaultSiteConfig,
    agents: { find: async (id) => agents.find((agent) => agent.id === id), versionsOf: async () => ['1'] },
    cache: registerResponseCache(app, { maxSize: 1_000_000, onView: () => {} }),
    render: async (content) => {
      rendered.push(content);
      await rendering.promise;
      return Buffer.from(content.name);
    },
  });
  let arrived = 0;
  let hungUp = 0;
  app.server.on('request', ({ socket }) => {
    arrived += 1;
    socket.once('close', () => (hungUp += 1));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;

  return {
    rendered,
    finish: rendering.resolve,
    read: (path: string) => fetch(`http://127.0.0.1:${port}${path}`),
    /** Sends a request on its own connection, so that it can be aborted. */
    send: (path: string) => {
      const sent = request({ port, path, agent: false }).end();
      sent.on('error', () => {});
      return sent;
    },
    untilArrived: (count: number) => expect.poll(() => arrived).toBe(count),
    untilHungUp: (count: number) => expect.poll(() => hungUp).toBe(count),
  };
}

test('an image shows the name of its agent, its category, the beginning of its description and its terms', async () => {
  const { read, rendered, finish } = await startApp();
  finish();
  const response = await read(toPath(0));
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(await response.text()).toBe('Agent 0');
  expect(rendered).toMatchObject([
    {
      name: 'Agent 0',
      heading: getCategory(defaultCategories, agents[0]!.category).name,
      description: 'x '.repeat(100),
      terms: ['Free', 'API'],
    },
  ]);
});

test('requests for the same image render it once', async () => {
  const { read, rendered, finish } = await startApp();
  const responses = [1, 2, 3].map(() => read(toPath(0)));
  await expect.poll(() => rendered.length).toBe(1);
  finish();
  for (const { status } of await Promise.all(responses)) expect(status).toBe(200);
  expect(rendered).toHaveLength(1);
});

test('a request that shares a rendering gets the image when the first client disconnects', async () => {
  const { read, send, rendered, finish, untilArrived, untilHungUp } = await startApp();
  const running = read(toPath(0));
  await untilArrived(1);
  const leaving = send(toPath(1));
  await untilArrived(2);
  const waiting = read(toPath(1));
  await untilArrived(3);
  leaving.destroy();
  await untilHungUp(1);
  finish();
  expect((await running).status).toBe(200);
  expect(await (await waiting).text()).toBe('Agent 1');
  expect(rendered.map(({ name }) => name)).toEqual(['Agent 0', 'Agent 1']);
});

test('a full queue is 503 with Retry-After, and disconnected clients free their places', async () => {
  const { read, send, rendered, finish, untilArrived, untilHungUp } = await startApp();
  const running = read(toPath(0));
  await untilArrived(1);
  const waiting = Array.from({ length: MAX_WAITING_PER_CLIENT }, (_, index) => send(toPath(index + 1)));
  await untilArrived(MAX_WAITING_PER_CLIENT + 1);

  const refused = await read(toPath(MAX_WAITING_PER_CLIENT + 1));
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(refused.headers.get('cache-control')).toBe('no-store');

  for (const sent of waiting) sent.destroy();
  await untilHungUp(MAX_WAITING_PER_CLIENT);
  const last = read(toPath(MAX_WAITING_PER_CLIENT + 1));
  await untilArrived(MAX_WAITING_PER_CLIENT + 3);
  finish();
  expect((await running).status).toBe(200);
  expect((await last).status).toBe(200);
  expect(rendered.map(({ name }) => name)).toEqual(['Agent 0', `Agent ${MAX_WAITING_PER_CLIENT + 1}`]);
});
