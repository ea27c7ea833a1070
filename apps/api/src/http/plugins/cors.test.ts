import { endpoints, OPENAPI_PATH } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send, startTestApp, type TestApp } from '../../testing/test-app.ts';

const LISTED = 'https://app.example';
const OTHER = 'https://other.example';
const EXPOSED =
  'ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Corrected-Query, X-Full-Matches, X-Matched-Words, X-First-Position, X-Refusal-Reason, x-request-id, X-Total-Bound, X-Total-Count, X-Understood-Query';

/** An application that lists no origin, and one that lists two. */
let closed: TestApp;
let open: TestApp;

beforeAll(async () => {
  closed = await startTestApp({ withSite: true });
  open = await startTestApp({ withSite: true, CORS_ORIGINS: ['http://localhost:5173', LISTED] });
});

afterAll(async () => {
  await closed.close();
  await open.close();
});

/** The CORS headers of a response. */
function pick(headers: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}

async function ask(app: TestApp, path: string, method: string, headers: Record<string, string>) {
  const answer = await send(app.url + path, { method, headers });
  return { status: answer.status, vary: answer.headers.vary, ...pick(answer.headers) };
}

const preflight = (app: TestApp, origin: string, method: string, path = '/api/agents') =>
  ask(app, path, 'OPTIONS', { origin, 'access-control-request-method': method });

const post = (app: TestApp, headers: Record<string, string>) =>
  send(`${app.url}/api/agents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(makeNewAgent()),
  });

const paths = ['/api/agents', '/api/stats', '/api/search?q=x', '/api/nothing', '/api/agents/1', OPENAPI_PATH];
const trpcPaths = ['/trpc/stats.get', '/trpc/agents.list', '/trpc/nothing'];
const readable = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };

describe.each([...paths, ...trpcPaths, '/'])('GET %s', (path) => {
  test('may be read by any origin, with the same headers for all if no origin is listed', async () => {
    const answers = [await ask(closed, path, 'GET', {}), await ask(closed, path, 'GET', { origin: OTHER })];
    for (const answer of answers) expect(answer).toMatchObject(readable);
    for (const { vary } of answers) expect(vary ?? '').not.toMatch(/origin/i);
  });

  test('names a listed origin and varies by Origin', async () => {
    const listed = await ask(open, path, 'GET', { origin: LISTED });
    expect(listed).toMatchObject({ ...readable, 'access-control-allow-origin': LISTED });
    for (const headers of [{ origin: OTHER }, {}] as Record<string, string>[]) {
      const answer = await ask(open, path, 'GET', headers);
      expect(answer).toMatchObject(readable);
      expect(answer.vary).toMatch(/\bOrigin\b/);
    }
    expect(listed.vary).toMatch(/\bOrigin\b/);
  });

  test('allows no credentials', async () => {
    for (const app of [closed, open]) {
      expect(await ask(app, path, 'GET', { origin: LISTED })).not.toHaveProperty('access-control-allow-credentials');
      expect(await preflight(app, LISTED, 'GET', path)).not.toHaveProperty('access-control-allow-credentials');
    }
  });
});

test.each([
  ['/api/stats', `${LISTED} real.example`],
  [`/api/stats?${LISTED}`, 'real.example'],
])('the cached response of %s with Host %s is not sent to a listed origin', async (path, host) => {
  for (let round = 0; round < 3; round += 1) {
    expect(await ask(open, path, 'GET', { host })).toMatchObject({ 'access-control-allow-origin': '*' });
    const listed = await ask(open, '/api/stats', 'GET', { host: 'real.example', origin: LISTED });
    expect(listed).toMatchObject({ 'access-control-allow-origin': LISTED });
  }
});

test('an error keeps its Vary header', async () => {
  expect(await ask(open, '/api/nothing', 'GET', { origin: OTHER })).toMatchObject({ vary: 'Accept, Origin' });
});

test('HEAD has the CORS headers of GET', async () => {
  expect(await ask(closed, '/api/agents', 'HEAD', { origin: OTHER })).toMatchObject(readable);
});

test('the response to a POST may be read only by a listed origin', async () => {
  expect(pick((await post(open, { origin: LISTED })).headers)).toMatchObject({
    'access-control-allow-origin': LISTED,
    'access-control-expose-headers': EXPOSED,
  });
  expect(pick((await post(open, { origin: OTHER })).headers)).toEqual({});
  expect(pick((await post(closed, { origin: LISTED })).headers)).toEqual({});
  expect((await post(closed, {})).status).toBe(201);
});

describe('CORS preflight', () => {
  test.each(['GET', 'HEAD'])('a preflight for %s allows any origin, without Content-Type', async (method) => {
    for (const app of [closed, open]) {
      expect(await preflight(app, OTHER, method)).toMatchObject({
        status: 204,
        ...readable,
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'Accept, If-None-Match',
        'access-control-max-age': '7200',
      });
    }
  });

  test.each(['POST', 'PATCH', 'DELETE', 'GET'])(
    'a preflight for %s from a listed origin allows writes',
    async (method) => {
      for (const path of [endpoints['agents.register'].path, '/trpc/agents.register']) {
        expect(await preflight(open, LISTED, method, path)).toMatchObject({
          status: 204,
          vary: 'Origin',
          'access-control-allow-origin': LISTED,
          'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
          'access-control-allow-headers':
            'Accept, If-None-Match, Authorization, Content-Type, Idempotency-Key, If-Match, Management-Key',
        });
      }
    },
  );

  test.each([
    ['POST', OTHER],
    ['POST', 'null'],
    ['POST', `${LISTED}.evil.example`],
    ['POST', LISTED.toUpperCase()],
    ['POST', 'http://app.example'],
    ['PUT', OTHER],
    ['PATCH', OTHER],
    ['DELETE', OTHER],
    ['get', OTHER],
  ])('a preflight for %s from %s allows nothing', async (method, origin) => {
    for (const app of [closed, open]) expect(pick(await preflight(app, origin, method))).toEqual({});
  });

  test('an OPTIONS request without Origin or a requested method is refused with 405', async () => {
    for (const headers of [{ origin: OTHER }, { 'access-control-request-method': 'GET' }] as Record<string, string>[]) {
      expect(await ask(open, '/api/agents', 'OPTIONS', headers)).toMatchObject({ status: 405 });
    }
  });
});
