import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS_PER_READ, readCharges } from '../../rate-limit/check-usages.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { postJson, startTestApp, type TestApp } from '../../testing/test-app.ts';

const LIMIT = 100;
const ID = 'aaaaaaaa-0000-4000-8000-000000000000';

describe.each(surfaceEngines)('the read limit on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let lastClient = 0;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({
      database,
      withSite: true,
      PUBLIC_URL: 'https://registry.example',
      READ_LIMIT: LIMIT,
      TRUST_PROXY: ['loopback'],
      // No response comes from the cache, which costs nothing.
      CACHE_SIZE: 0,
    });
    await app.agents.load([
      makeAgent({ id: ID, name: 'Otter Ferry' }),
      ...Array.from({ length: AGENTS_PER_READ }, () => makeAgent({ name: 'Heron' })),
    ]);
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  /** How many calls a request counts, as the next request of its client tells. */
  async function countCalls(path: string, body?: object): Promise<number> {
    lastClient += 1;
    const headers = { 'x-forwarded-for': `192.0.2.${lastClient}`, accept: 'application/json, text/event-stream' };
    const get = (url: string) => fetch(app.url + url, { headers });
    const sent = await (body ? postJson(app.url + path, body, headers) : get(path));
    expect([path, sent.status]).toEqual([path, 200]);
    await sent.arrayBuffer();
    const next = await get('/api/stats');
    const left = /"read";r=(\d+)/.exec(next.headers.get('ratelimit') ?? '')?.[1];
    return LIMIT - Number(left) - 1;
  }

  test.each([
    ['otter+ferry', 2],
    ['ottr+ferry', 6],
    ['otter+ferry+heron+ottr+ferrry+zzzzzz', 14],
    ['otter+ferry+heron+herons+ottr+ferrry+zzzzzz+yyyyyy', 14],
    ['ottr+ferrry+zzzzzz', 14],
    ['ottr+ferrry+zzzzzz&correct=false', 2],
  ])('counts %s as %i reads, on every surface that searches', async (q, calls) => {
    for (const path of ['/api/search', '/api/facets', '/feed.xml', '/feed.json']) {
      expect([path, await countCalls(`${path}?q=${q}`)]).toEqual([path, calls]);
    }
  });

  test('counts a read as several by its kind, and a whole list or search by its length', async () => {
    const search = { query: { text: 'heron', filter: { tags: ['free'] } } };
    const params = { name: 'get_agent', arguments: { id: ID } };
    for (const [path, calls, body] of [
      [`/api/agents/${ID}`, 1],
      ['/api/agents?limit=199', 1],
      ['/api/agents?limit=200', 2],
      ['/api/search?q=heron&limit=200', 3],
      ['/api/changes?include=agents', 2],
      ['/api/agents', 2],
      ['/api/search?q=heron', 3],
      ['/trpc/agents.list', 2],
      ['/ard/search', readCharges.ard + 1, search],
      ['/mcp', readCharges.mcp, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }],
      ['/', readCharges.page],
      [`/agent/${ID}`, readCharges.page],
      [`/agent/${ID}/picture.png`, readCharges.picture],
      ['/sitemap.xml', readCharges.sitemap],
    ] as const) {
      expect([path, await countCalls(path, body)]).toEqual([path, calls]);
    }
  });
});
