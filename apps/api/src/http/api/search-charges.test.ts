import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const LIMIT = 100;

describe.each(surfaceEngines)('the read limit on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let lastClient = 0;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({
      database,
      withSite: true,
      limits: { read: LIMIT },
      trustProxy: ['loopback'],
      // No response comes from the cache, which costs nothing.
      cacheSize: 0,
    });
    await app.agents.load([makeAgent({ name: 'Otter Ferry' })]);
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  /** How many calls a request counts, as the next request of its client tells. */
  async function countCalls(path: string): Promise<number> {
    lastClient += 1;
    const get = (url: string) => fetch(app.url + url, { headers: { 'x-forwarded-for': `192.0.2.${lastClient}` } });
    expect((await get(path)).status).toBe(200);
    const { headers } = await get('/api/stats');
    const left = /"read";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
    return LIMIT - Number(left) - 1;
  }

  test.each([
    ['otter+ferry', 1],
    ['ottr+ferry', 5],
    ['ottr+ferrry+zzzzzz', 13],
    ['ottr+ferrry+zzzzzz+yyyyyy+xxxxxx', 13],
    ['ottr+ferrry+zzzzzz&correct=false', 1],
  ])('counts %s as %i reads, on every surface that searches', async (q, calls) => {
    for (const path of ['/api/search', '/api/facets', '/feed.xml', '/feed.json']) {
      expect([path, await countCalls(`${path}?q=${q}`)]).toEqual([path, calls]);
    }
  });
});
