import { createReadRequests, defaultCategories, sortValues, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '../../testing/engines.ts';
import { send, startTestApp, type TestApp } from '../../testing/test-app.ts';

describe.each(engines)('filters and sort on $name', ({ open }) => {
  const proved = { website: 'https://example.com/', websiteCheckedAt: '2026-02-01T00:00:00.000Z' };
  // Newest first.
  const agents = [
    makeAgent({ name: 'zebra mail', pricingModel: 'free', apiAccess: 'yes', rating: 3.1, reviewCount: 9 }),
    makeAgent({ name: 'Ärger mail', pricingModel: 'paid', apiAccess: 'yes', rating: 4.5, reviewCount: 2, ...proved }),
    makeAgent({
      name: 'Otter',
      category: 'vision',
      ...proved,
      pricingModel: 'free',
      apiAccess: 'no',
      rating: 4.5,
      reviewCount: 7,
    }),
    makeAgent({ name: 'alpha mail', pricingModel: 'free', apiAccess: 'planned', rating: 0, reviewCount: 0 }),
    makeAgent({ name: 'Beta', pricingModel: 'enterprise', apiAccess: 'yes', rating: 5, reviewCount: 1 }),
  ].map((agent, index) => ({ ...agent, createdAt: new Date(Date.UTC(2026, 0, 31 - index)).toISOString() }));
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ database: await open() });
    await app.agents.load(agents);
  });

  afterAll(() => app.close());

  async function names(path: string): Promise<string[]> {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(200);
    return ((await response.json()) as Agent[]).map(({ name }) => name);
  }

  async function refusal(path: string): Promise<string> {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(400);
    return response.text();
  }

  test.each([
    ['newest', ['zebra mail', 'Ärger mail', 'Otter', 'alpha mail', 'Beta']],
    ['rating', ['Beta', 'Otter', 'Ärger mail', 'zebra mail', 'alpha mail']],
    ['reviews', ['zebra mail', 'Otter', 'Ärger mail', 'Beta', 'alpha mail']],
    ['name', ['alpha mail', 'Ärger mail', 'Beta', 'Otter', 'zebra mail']],
  ])('sort=%s orders the list', async (sort, expected) => {
    expect(await names(`/api/agents?sort=${sort}`)).toEqual(expected);
  });

  test('a filter leaves the agents with one of its values, in a list, a category and a search', async () => {
    expect(await names('/api/agents?pricing=paid,enterprise')).toEqual(['Ärger mail', 'Beta']);
    expect(await names('/api/agents?pricing=free&apiAccess=yes,planned')).toEqual(['zebra mail', 'alpha mail']);
    expect(await names('/api/agents/category/vision?apiAccess=no')).toEqual(['Otter']);
    expect(await names('/api/agents/category/vision?apiAccess=yes')).toEqual([]);
    expect(await names('/api/agents?proved=yes')).toEqual(['Ärger mail', 'Otter']);
    expect(await names('/api/agents/category/vision?proved=yes')).toEqual(['Otter']);
    expect(await names('/api/search?q=mail&proved=yes')).toEqual(['Ärger mail']);
    expect(await names('/api/search?q=mail&proved=yes&sort=name')).toEqual(['Ärger mail']);
    expect(await names('/api/search?q=mail&apiAccess=yes')).toEqual(['Ärger mail', 'zebra mail']);
    expect(await names('/api/search?q=mail&apiAccess=yes&sort=newest')).toEqual(['zebra mail', 'Ärger mail']);
    expect(await names('/api/search?q=mail&apiAccess=yes&sort=rating')).toEqual(['Ärger mail', 'zebra mail']);
  });

  test('the link to the next page keeps filters and order, and the total counts what the filters leave', async () => {
    expect((await fetch(`${app.url}/api/agents?limit=1&proved=yes`)).headers.get('x-total-count')).toBe('2');
    const path = '/api/agents?limit=2&sort=name&pricing=free,enterprise';
    const first = await fetch(app.url + path);
    expect(first.headers.get('x-total-count')).toBe('4');
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    expect(await names(next)).toEqual(['Otter', 'zebra mail']);
  });

  test('a page with its position has links in both directions', async () => {
    const path = `/api/agents?limit=2&sort=name&position=true&after=${agents[1]?.id}`;
    const { headers } = await fetch(app.url + path);
    expect(headers.get('x-first-position')).toBe('3');
    const [, previous = ''] = /<([^>]+)>; rel="prev"/.exec(headers.get('link') ?? '') ?? [];
    expect(await names(previous)).toEqual(['alpha mail', 'Ärger mail']);
    expect((await fetch(app.url + previous)).headers.get('x-first-position')).toBe('1');
  });

  test('a search goes back and tells its position', async () => {
    const all = (await (await fetch(`${app.url}/api/search?q=mail`)).json()) as Agent[];
    const { headers } = await fetch(`${app.url}/api/search?q=mail&limit=1&position=true&after=${all[1]?.id}`);
    expect(headers.get('x-first-position')).toBe('3');
    const [, previous = ''] = /<([^>]+)>; rel="prev"/.exec(headers.get('link') ?? '') ?? [];
    expect(await names(previous)).toEqual([all[1]?.name]);
  });

  test('facets count each filter with the other one applied', async () => {
    const facets = async (query: string) => (await fetch(`${app.url}/api/facets${query}`)).json();
    expect(await facets('')).toMatchObject({
      total: 5,
      pricing: { free: 3, freemium: 0, paid: 1, enterprise: 1 },
      apiAccess: { yes: 3, no: 1, planned: 1 },
      proved: { yes: 2 },
      connects: { mcp: 0, a2a: 0, skill: 0, openapi: 0 },
    });
    expect(await facets('?pricing=free&apiAccess=yes')).toMatchObject({
      total: 1,
      pricing: { free: 1, freemium: 0, paid: 1, enterprise: 1 },
      apiAccess: { yes: 1, no: 1, planned: 1 },
      proved: { yes: 0 },
      connects: { mcp: 0, a2a: 0, skill: 0, openapi: 0 },
    });
    expect(await facets('?proved=yes')).toMatchObject({
      total: 2,
      pricing: { free: 1, freemium: 0, paid: 1, enterprise: 0 },
      apiAccess: { yes: 1, no: 1, planned: 0 },
      proved: { yes: 2 },
      connects: { mcp: 0, a2a: 0, skill: 0, openapi: 0 },
    });
    expect(await facets('?q=mail&proved=yes')).toMatchObject({ total: 1, pricing: { free: 0, paid: 1 } });
    expect(await facets('?q=mail')).toMatchObject({ total: 3, apiAccess: { yes: 2, no: 0, planned: 1 } });
    expect(await facets('?category=vision&q=mail')).toMatchObject({ total: 1, apiAccess: { no: 1 } });
  });

  test('an empty value of any parameter counts as none', async () => {
    const requests = createReadRequests(defaultCategories);
    for (const [path, { shape }] of [
      ['/api/agents', requests['agents.list']],
      ['/api/facets', requests['agents.facets']],
      ['/api/changes', requests['changes.list']],
    ] as const) {
      const all = await (await fetch(app.url + path)).text();
      for (const name of Object.keys(shape)) {
        expect([name, await (await fetch(`${app.url}${path}?${name}=`)).text()]).toEqual([name, all]);
      }
    }
  });

  test('an unknown value is refused with the accepted ones', async () => {
    const pricing = 'pricing must be one or several of free, freemium, paid, enterprise, separated by commas.';
    for (const path of ['/api/agents?', '/api/agents/category/vision?', '/api/search?q=mail&']) {
      expect(await refusal(`${path}sort=best`)).toBe(`sort must be one of ${sortValues.join(', ')}.`);
      expect(await refusal(`${path}pricing=cheap`)).toBe(pricing);
    }
    expect(await refusal('/api/agents?pricing=free,')).toBe(pricing);
    expect(await refusal('/api/agents?proved=no')).toBe('proved must be yes.');
    expect(await refusal('/api/facets?apiAccess=maybe')).toBe(
      'apiAccess must be one or several of yes, no, planned, separated by commas.',
    );
  });

  test('website leaves the agents with that website, however it is written', async () => {
    const ownApp = await startTestApp({ database: await open() });
    const websites = [
      'https://www.example.com/',
      'http://EXAMPLE.com',
      'https://example.com/docs',
      'https://docs.example.com',
      null,
    ];
    const path = `${ownApp.url}/api/agents?pricing=free&website=${encodeURIComponent('https://example.com')}`;
    const read = async (query: string) => {
      const { headers, body } = await send(path + query);
      return { headers, websites: (JSON.parse(body) as Agent[]).map(({ website }) => website) };
    };
    expect((await read('')).websites).toEqual([]);
    await ownApp.agents.load(
      websites.map((website, index) => ({
        ...makeAgent({ website, pricingModel: 'free' }),
        createdAt: new Date(Date.UTC(2026, 0, 31 - index)).toISOString(),
      })),
    );
    await ownApp.agents.load([makeAgent({ website: 'https://example.com', pricingModel: 'paid' })]);
    expect((await read('')).websites).toEqual(websites.slice(0, 2));
    const first = await read('&limit=1&sort=newest');
    expect(first.headers['x-total-count']).toBe('2');
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(String(first.headers.link)) ?? [];
    expect(next).toContain('&website=https%3A%2F%2Fexample.com&');
    expect(JSON.parse((await send(ownApp.url + next)).body)).toMatchObject([{ website: websites[1] }]);
    for (const website of ['example', 'ftp://example.com', 'https://a.example&website=https://b.example']) {
      const { status, body } = await send(`${ownApp.url}/api/agents?website=${website}`);
      expect([status, body]).toEqual([400, 'website must be one http or https address, such as https://example.com.']);
    }
    await ownApp.close();
  });

  test('two cursors, and a cursor that the filters leave out, are refused', async () => {
    const id = agents[0]?.id;
    expect(await refusal(`/api/agents?after=${id}&before=${id}`)).toBe('Only one of after and before can be used.');
    expect(await refusal(`/api/agents?pricing=paid&after=${id}`)).toBe(
      'after must be the id of an agent in the list, or a cursor of its order.',
    );
  });
});
