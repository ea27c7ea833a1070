import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createManagementKey } from '@agent-registry/contracts';
import { Registry } from 'prom-client';
import { createMetrics, type Metrics, addModerationGauges } from './metrics.ts';
import { postJson, send, startTestApp, type TestApp } from '../testing/test-app.ts';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { surfaceEngines } from '../testing/engines.ts';
import { createWebhookStore } from '../webhook/webhook-store.ts';

let metrics: Metrics;
let app: TestApp;

beforeAll(async () => {
  metrics = createMetrics();
  app = await startTestApp({ withSite: true, metrics });
});

afterAll(() => app.close());

/** The number of responses by labels such as `GET /api/agents 200`. */
async function countRequests(): Promise<Record<string, number>> {
  const { values } = await metrics.requests.get();
  return Object.fromEntries(
    values.map(({ labels: { method, route, status }, value }) => [`${method} ${route} ${status}`, value]),
  );
}

test('responses are counted and timed by method, route pattern and status', async () => {
  await postJson(`${app.url}/api/agents`, makeNewAgent());
  await postJson(`${app.url}/api/agents`, {});
  for (const path of ['/api/agents', '/api/agents?limit=1', '/api/agents/1', '/api/agents/2', '/', '/robots.txt']) {
    await send(app.url + path);
  }
  // Cache hits.
  await send(`${app.url}/api/agents`);
  await send(`${app.url}/assets/x-abc123.js`, { method: 'HEAD' });
  await expect.poll(countRequests).toEqual({
    'POST /api/agents 201': 1,
    'POST /api/agents 400': 1,
    'GET /api/agents 200': 3,
    'GET /api/agents/:id 400': 2,
    'GET / 200': 1,
    'GET /robots.txt 200': 1,
    'HEAD /assets/* 200': 1,
  });
  const { values } = await metrics.requestDuration.get();
  const count = values.find(
    ({ metricName, labels }) =>
      metricName === 'http_request_duration_seconds_count' && labels.route === '/api/agents' && labels.method === 'GET',
  );
  expect(count?.value).toBe(3);
});

test('a gauge says whether registration is open', async () => {
  const closed = createMetrics();
  const closedApp = await startTestApp({ metrics: closed, REGISTRATION: 'closed' });
  onTestFinished(() => closedApp.close());
  const values = [metrics, closed].map(async ({ registrationOpen }) => (await registrationOpen.get()).values[0]?.value);
  expect(await Promise.all(values)).toEqual([1, 0]);
});

test('clients cannot create labels', async () => {
  const before = new Set(Object.keys(await countRequests()));
  for (let index = 0; index < 20; index += 1) {
    for (const path of [`/x${index}`, `/api/x${index}`, `/assets/${index}.js`, `/%${index}`])
      await send(app.url, { path });
    await send(app.url, { path: `/x${index}`, method: 'POST' });
  }
  for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'REPORT', 'OPTIONS']) {
    await send(`${app.url}/api/agents`, { method });
  }
  await expect.poll(async () => (await countRequests())['other /api/* 405']).toBe(4);
  const added = Object.keys(await countRequests()).filter((labels) => !before.has(labels));
  expect(added.toSorted()).toEqual([
    'DELETE /api/* 405',
    'GET /* 400',
    'GET /* 404',
    'GET /api/* 404',
    'PATCH /api/* 405',
    'POST none 404',
    'other /api/* 405',
  ]);
});

type Names = Record<'length' | 'oldest', string>;

test.each(surfaceEngines)(
  'gauges show the held agents and edits, open reports, events to deliver, and their age, on $name',
  async ({ open }) => {
    const database = await open();
    const registry = new Registry();
    addModerationGauges(registry, database.engine.db);
    const read = async () =>
      Object.fromEntries(
        Array.from((await registry.metrics()).matchAll(/^(\w+\{.+\}) (.+)$/gm), (line) => [line[1], Number(line[2])]),
      );
    const [held, reports, events] = ['held', 'reports', 'events'].map((queue) => ({
      length: `moderation_queue_length{queue="${queue}"}`,
      oldest: `moderation_queue_oldest_seconds{queue="${queue}"}`,
    })) as [Names, Names, Names];
    const nothing = [held, reports, events].flatMap(({ length, oldest }) => [length, oldest]).map((name) => [name, 0]);
    expect(await read()).toEqual(Object.fromEntries(nothing));

    const agents = createAgentStore(database.engine);
    await agents.register(makeNewAgent(), { isHeld: true });
    const { agent } = await agents.register(makeNewAgent({ name: 'Listed' }), {});
    for (const text of ['a', 'b']) await agents.report(agent.id, { reason: 'spam', text });
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    await database.engine.db.updateTable('unlisted_agents').set({ since: anHourAgo }).execute();
    const waiting = await read();
    expect(waiting).toMatchObject({ [held.length]: 1, [reports.length]: 2 });
    expect(waiting[held.oldest]).toBeGreaterThanOrEqual(3_600);
    expect(waiting[reports.oldest]).toBeLessThan(3_600);

    // Only the reports of listed agents wait, as the lists of commands and console show them.
    const operator = createOperatorStore(database.engine);
    await operator.hide({ ids: new Set([agent.id]) }, 'Spam');
    expect(await read()).toMatchObject({ [reports.length]: 0, [reports.oldest]: 0 });
    await operator.unhide({ ids: new Set([agent.id]) });
    expect(await read()).toMatchObject({ [reports.length]: 2 });

    const webhook = createWebhookStore(database.engine.db);
    await webhook.setConfigured(true);
    await agents.report(agent.id, { reason: 'spam', text: 'c' });
    await database.engine.db.updateTable('operator_events').set({ at: anHourAgo }).execute();
    const undelivered = await read();
    expect(undelivered).toMatchObject({ [events.length]: 1 });
    expect(undelivered[events.oldest]).toBeGreaterThanOrEqual(3_600);
    const lease = await webhook.claim();
    const [event] = await webhook.read(lease!);
    await webhook.refuse({ ...lease!, refusals: 7 }, event!.number);
    expect(await read()).toMatchObject({ [events.length]: 0, [events.oldest]: 0 });

    const key = createManagementKey();
    const owned = (await agents.register(makeNewAgent({ name: 'Owned' }), { key })).agent;
    await agents.update(owned.id, { key }, { name: 'Edited' }, { except: new Set() });
    const reviewed = await read();
    expect(reviewed).toMatchObject({ [held.length]: 2 });
    expect(reviewed[held.oldest]).toBeGreaterThanOrEqual(3_600);

    await operator.release({});
    expect(await read()).toMatchObject({ [held.length]: 0, [held.oldest]: 0 });
    await database.remove();
    expect(await read()).toEqual({});
  },
);
