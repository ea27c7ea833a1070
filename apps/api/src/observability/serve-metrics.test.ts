import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';
import { postJson, send, startTestApp, type TestApp } from '../testing/test-app.ts';

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
  const closedApp = await startTestApp({ metrics: closed, registration: 'closed' });
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
  await expect.poll(async () => (await countRequests())['other /api/agents 405']).toBe(4);
  const added = Object.keys(await countRequests()).filter((labels) => !before.has(labels));
  expect(added.toSorted()).toEqual([
    'DELETE /api/agents 405',
    'GET /* 400',
    'GET /* 404',
    'GET /api/* 404',
    'PATCH /api/agents 405',
    'POST none 404',
    'other /api/agents 405',
  ]);
});
