import type { Agent, Facets } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgentSearch } from '../../search/search.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { postJson, send, startTestApp, type TestApp } from '../../testing/test-app.ts';

/** The most results that are counted here. */
const MAX = 30;
const DAY = '2026-02-01';

// 40 otters: ten paid ones, 25 with a capability of which the last 15 are among the latest 30, 20 of a later day.
const agents = Array.from({ length: 40 }, (_, index) =>
  makeAgent({
    name: `Otter ${index}`,
    pricingModel: index % 4 === 0 ? 'paid' : 'free',
    capabilities: index < 25 ? ['river'] : [],
  }),
);

describe.each(engines)('a search with more results than are counted, on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
    const { engine } = database;
    const search = createAgentSearch(database.openTokenReader(MAX));
    app = await startTestApp({
      database: { engine: { ...engine, search } },
      withSite: true,
      PUBLIC_URL: 'https://registry.example',
    });
    await app.agents.load([...agents, makeAgent({ name: 'Badger' })]);
    await engine.db
      .updateTable('agents')
      .set({ listed_at: '2026-01-31T00:00:00.000Z' })
      .where(
        'name',
        'in',
        agents.slice(0, 20).map(({ name }) => name),
      )
      .execute();
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  async function get(path: string) {
    const { status, headers, body } = await send(app.url + path);
    expect({ path, status, body }).toMatchObject({ status: 200 });
    const counts = ['x-total-count', 'x-total-bound', 'x-full-matches'].map((name) => headers[name]);
    const [, next] = /<([^>]+)>; rel="next"/.exec(String(headers['link'])) ?? [];
    return { counts, body: JSON.parse(body) as unknown, next };
  }

  const facetsOf = async (query: string) => (await get(`/api/facets?${query}`)).body as Facets;

  test.each([
    ['', ['30', 'lower', '30']],
    ['&sort=name', ['30', 'lower', '30']],
    ['&sort=newest&pricing=free,paid', ['30', 'lower', '30']],
    // As many as are counted.
    ['&pricing=free', ['30', undefined, '30']],
    ['&pricing=paid', ['10', undefined, '10']],
    ['&capability=river', ['25', undefined, '25']],
    ['&capability=river&pricing=paid&sort=rating', ['7', undefined, '7']],
    [`&since=${DAY}`, ['20', undefined, '20']],
    ['&since=2020-01-01', ['30', 'lower', '30']],
  ])('with %j has the counts %j', async (query, counts) => {
    expect((await get(`/api/search?q=otter&limit=3${query}`)).counts).toEqual(counts);
  });

  test('has all its pages, in both directions', async () => {
    const names = new Set<string>();
    let path: string | undefined = '/api/search?q=otter&limit=9&position=true';
    let cursor: string | undefined;
    for (let page = 0; path !== undefined; page += 1) {
      const { body, next } = await get(path);
      for (const { name } of body as Agent[]) names.add(name);
      if (page === 3) cursor = (body as Agent[]).at(-1)?.id;
      path = next;
    }
    expect(names.size).toBe(agents.length);
    const before = await get(`/api/search?q=otter&limit=9&position=true&before=${cursor}`);
    expect(before.body).toHaveLength(9);
    expect(before.next).toBeDefined();
  });

  test('has facets of its latest results, which say so', async () => {
    const totalBound = 'lower';
    expect(await facetsOf('q=otter')).toMatchObject({ totalBound, total: 30, pricing: { free: 23, paid: 7 } });
    expect(await facetsOf('q=otter&pricing=paid')).toMatchObject({ totalBound, total: 7 });
    expect(await facetsOf('q=otter&capability=river')).toMatchObject({ totalBound, total: 15 });
    expect(await facetsOf(`q=otter&since=${DAY}`)).toMatchObject({ totalBound, total: 20 });
  });

  test('is the only list that is not counted to its end', async () => {
    for (const path of ['/api/agents?limit=3', '/api/agents?limit=3&pricing=free,paid']) {
      expect((await get(path)).counts).toEqual(['41', undefined, undefined]);
    }
    expect((await get('/api/search?q=badger')).counts).toEqual(['1', undefined, '1']);
    for (const [query, total] of Object.entries({ '': 41, 'q=badger': 1, 'pricing=paid': 10 })) {
      const facets = await facetsOf(query);
      expect(facets).toMatchObject({ total });
      expect(facets).not.toHaveProperty('totalBound');
    }
  });

  test('says so over tRPC, MCP and in Markdown', async () => {
    const input = encodeURIComponent(JSON.stringify({ q: 'otter', limit: 3 }));
    const { body } = await get(`/trpc/agents.search?input=${input}`);
    expect(body).toMatchObject({ result: { data: { total: 30, totalBound: 'lower', full: 30 } } });

    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`)));
    const search = async (args: object) =>
      (await client.callTool({ name: 'search_agents', arguments: { query: 'otter', ...args } })).structuredContent;
    expect(await search({})).toMatchObject({ total: 30, totalBound: 'lower' });
    const few = await search({ pricingModel: 'paid' });
    expect(few).toMatchObject({ total: 10 });
    expect(few).not.toHaveProperty('totalBound');
    await client.close();

    const markdown = await fetch(`${app.url}/?q=otter`, { headers: { accept: 'text/markdown' } });
    const text = await markdown.text();
    for (const part of ['30+ agents for ‘otter’', 'Showing 1 to 12 of 30+.', '[Free]', '(23+)']) {
      expect(text).toContain(part);
    }
  });

  test('has scores of agents with all words in ARD', async () => {
    const response = await postJson(`${app.url}/ard/search`, { query: { text: 'otter' }, pageSize: 40 });
    const { results } = (await response.json()) as { results: { score: number }[] };
    const scores = results.map(({ score }) => score);
    expect(scores).toHaveLength(40);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect([scores[0], (scores.at(-1) ?? 0) > 50]).toEqual([100, true]);
  });
});
