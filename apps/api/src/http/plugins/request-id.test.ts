import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, startTestApp, type TestApp } from '../../testing/test-app.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ withSite: true });
});

afterAll(() => app.close());

test.each(['/', '/api/agents', '/api/nothing', '/api/%zz', '/trpc/stats.get', '/healthz'])(
  'the answer of %s names the request, each by another id',
  async (path) => {
    const [one, other] = [await send(app.url, { path }), await send(app.url, { path })];
    expect(one.headers['x-request-id']).toMatch(UUID);
    expect(other.headers['x-request-id']).toMatch(UUID);
    expect(one.headers['x-request-id']).not.toBe(other.headers['x-request-id']);
  },
);

test('the 417 to an unsupported Expect has a request id', async () => {
  const { status, headers } = await send(app.url, { headers: { expect: 'everything', 'x-request-id': 'trace-0001' } });
  expect(status).toBe(417);
  expect(headers['x-request-id']).toBe('trace-0001');
});

test.each(['4bf92f3577b34da6a3ce929d0e0e4736', '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f', 'lb_7.node-2'])(
  'the request id %s of the client is kept',
  async (id) => {
    const { headers } = await send(`${app.url}/api/agents`, { headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toBe(id);
  },
);

test.each([
  '',
  'short',
  'x'.repeat(65),
  'owner@example.com',
  '{"level":60}',
  'id with blanks',
  '<b>bold</b>',
  'ids, more',
])('the id %j is replaced by a new one', async (id) => {
  const { headers } = await send(`${app.url}/api/agents`, { headers: { 'x-request-id': id } });
  expect(headers['x-request-id']).toMatch(UUID);
});
