import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { endpoints, OPENAPI_PATH, toCursor, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '../../testing/engines.ts';
import { postJson, send, startTestApp, type TestApp } from '../../testing/test-app.ts';

const required = {
  name: 'Front Desk',
  description: 'Answers the phone.',
  category: 'chatbot',
  contactEmail: 'owner@example.com',
};

let app: TestApp;

/** The agents of the registry, newest first. */
const agents: Agent[] = [
  makeAgent({ name: 'C++ Otter', category: 'language', createdAt: '2026-01-05T00:00:00.000Z' }),
  makeAgent({ name: 'Otter', category: 'vision', rating: 4.7, reviewCount: 12, createdAt: '2026-01-04T00:00:00.000Z' }),
  makeAgent({ name: 'Badger', category: 'vision', createdAt: '2026-01-03T00:00:00.000Z' }),
  makeAgent({ name: 'Beaver', website: 'https://example.com', createdAt: '2026-01-02T00:00:00.000Z' }),
  makeAgent({ name: 'Heron', capabilities: ['a', 'b'], createdAt: '2026-01-01T00:00:00.000Z' }),
];

describe.each(engines)('REST reads on $name', ({ open }) => {
  beforeAll(async () => {
    app = await startTestApp({ database: await open() });
    await app.agents.load(agents);
  });

  afterAll(() => app.close());

  const get = (path: string, init?: RequestInit) => fetch(app.url + path, init);

  async function getJson(path: string): Promise<unknown> {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    return response.json();
  }

  describe('GET /api/agents', () => {
    test('sends all agents with all fields, newest first, as an array without the headers of a page', async () => {
      expect(await getJson('/api/agents')).toEqual(agents);
      const { headers } = await get('/api/agents');
      expect(headers.get('link')).toBeNull();
      expect(headers.get('x-total-count')).toBeNull();
    });

    test('sends a page with the total and the link to the next page', async () => {
      const response = await get('/api/agents?limit=2');
      expect(await response.json()).toEqual(agents.slice(0, 2));
      expect(response.headers.get('x-total-count')).toBe('5');
      expect(response.headers.get('link')).toBe(
        `</api/agents?limit=2&after=${toCursor(agents[1]!, 'newest')}>; rel="next"`,
      );
    });

    test('sends each agent once over the links from page to page', async () => {
      const walked: unknown[] = [];
      let path: string | undefined = '/api/agents?limit=2';
      while (path && walked.length <= agents.length) {
        const response: Response = await get(path);
        walked.push(...((await response.json()) as unknown[]));
        path = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      }
      expect(walked).toEqual(agents);
    });

    test('sends the rest after an agent, without a link, when no limit is given', async () => {
      const response = await get(`/api/agents?after=${agents[1]?.id.toUpperCase()}`);
      expect(await response.json()).toEqual(agents.slice(2));
      expect(response.headers.get('x-total-count')).toBe('5');
      expect(response.headers.get('link')).toBeNull();
    });

    test.each([
      ['limit=0', 'limit must be a whole number from 1 to 200.'],
      ['limit=201', 'limit must be a whole number from 1 to 200.'],
      ['limit=1.5', 'limit must be a whole number from 1 to 200.'],
      ['limit=0x2', 'limit must be a whole number from 1 to 200.'],
      ['limit=ten', 'limit must be a whole number from 1 to 200.'],
      ['limit=1&limit=2', 'limit must be a whole number from 1 to 200.'],
      ['after=1', 'after must be a cursor of this registry, or the id of an agent.'],
      [`limit=1&after=${randomUUID()}`, 'after must be the id of an agent in the list, or a cursor of its order.'],
    ])('refuses ?%s with 400', async (query, sentence) => {
      const response = await get(`/api/agents?${query}`);
      expect(response.status).toBe(400);
      expect(await response.text()).toBe(sentence);
    });
  });

  describe('GET /api/agents/category/{category}', () => {
    test('sends the agents of the category, newest first', async () => {
      expect(await getJson('/api/agents/category/vision')).toEqual([agents[1], agents[2]]);
      expect(await getJson('/api/agents/category/v%69sion')).toEqual([agents[1], agents[2]]);
    });

    test('sends a page with the total and the link to the next page', async () => {
      const first = await get('/api/agents/category/vision?limit=1');
      expect(await first.json()).toEqual([agents[1]]);
      expect(first.headers.get('x-total-count')).toBe('2');
      const next = `/api/agents/category/vision?limit=1&after=${toCursor(agents[1]!, 'newest')}`;
      expect(first.headers.get('link')).toBe(`<${next}>; rel="next"`);
      const last = await get(next);
      expect(await last.json()).toEqual([agents[2]]);
      expect(last.headers.get('x-total-count')).toBe('2');
      expect(last.headers.get('link')).toBeNull();
    });

    test.each([
      ['limit=201', 'limit must be a whole number from 1 to 200.'],
      ['after=1', 'after must be a cursor of this registry, or the id of an agent.'],
      [`after=${randomUUID()}`, 'after must be the id of an agent in the list, or a cursor of its order.'],
      [`after=${agents[0]?.id}`, 'after must be the id of an agent in the list, or a cursor of its order.'],
    ])('refuses ?%s with 400', async (query, sentence) => {
      const response = await get(`/api/agents/category/vision?${query}`);
      expect(response.status).toBe(400);
      expect(await response.text()).toBe(sentence);
    });

    test('reads the category from the path, not from the query', async () => {
      expect(await getJson('/api/agents/category/vision?category=language')).toEqual([agents[1], agents[2]]);
    });

    test('sends an empty array for a category without agents', async () => {
      expect(await getJson('/api/agents/category/creative')).toEqual([]);
    });

    test.each(['robots', 'Vision', 'vision%20', 'a'.repeat(900)])(
      'for %s, which is no category, is refused with 400 and the six ids',
      async (category) => {
        const response = await get(`/api/agents/category/${category}`);
        expect(response.status).toBe(400);
        expect(await response.text()).toBe(
          'Category must be one of chatbot, automation, analytics, creative, vision, language.',
        );
      },
    );
  });

  describe('GET /api/search', () => {
    test.each([
      ['otter', ['Otter', 'C++ Otter']],
      ['%20%20otter%09', ['Otter', 'C++ Otter']],
      ['c%2B%2B+otter', ['C++ Otter', 'Otter']],
      ['vision+badger', ['Badger', 'Otter']],
      ['%25', []],
      ['q'.repeat(200), []],
    ])('?q=%s finds %j', async (q, names) => {
      const found = (await getJson(`/api/search?q=${q}`)) as Agent[];
      expect(found.map(({ name }) => name)).toEqual(names);
    });

    test('sends agents with all fields', async () => {
      expect(await getJson('/api/search?q=heron')).toEqual([agents[4]]);
    });

    test('sends a page with the total and the link to the next page', async () => {
      const response = await get('/api/search?q=%20does%20one%20&limit=2');
      const [first, second] = (await response.json()) as Agent[];
      expect([first?.name, second?.name]).toEqual(['Heron', 'Beaver']);
      expect(response.headers.get('x-total-count')).toBe('5');
      expect(response.headers.get('link')).toBe(
        `</api/search?q=does+one&limit=2&after=${toCursor(second!, 'best', 2)}>; rel="next"`,
      );
    });

    test('sends each result once over the links from page to page', async () => {
      const walked: unknown[] = [];
      let path: string | undefined = '/api/search?q=does+one&limit=2';
      while (path && walked.length <= agents.length) {
        const response: Response = await get(path);
        walked.push(...((await response.json()) as unknown[]));
        path = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      }
      expect(walked).toEqual(await getJson('/api/search?q=does+one'));
      expect(walked).toHaveLength(5);
    });

    test('sends the total without a link when the page has all results', async () => {
      const { headers } = await get('/api/search?q=otter');
      expect(headers.get('x-total-count')).toBe('2');
      expect(headers.get('link')).toBeNull();
      expect(headers.get('x-corrected-query')).toBeNull();
    });

    test('sends the corrected query, how many agents have all of its words, and the words that found agents', async () => {
      const response = await get('/api/search?q=visian+bagder');
      expect(((await response.json()) as Agent[]).map(({ name }) => name)).toEqual(['Badger', 'Otter']);
      expect(response.headers.get('x-corrected-query')).toBe('vision%20badger');
      expect(response.headers.get('x-full-matches')).toBe('1');
      expect(response.headers.get('x-matched-words')?.split(',')).toEqual(
        expect.arrayContaining(['bagder*', 'badger']),
      );
    });

    test('sends at most 1,000 characters of words, percent-encoded', async () => {
      const words = '水獭'.repeat(30);
      const { headers } = await get(`/api/search?q=${encodeURIComponent(`otter c++ ${words} ${words}a`)}`);
      const sent = headers.get('x-matched-words') ?? '';
      expect(sent.length).toBeLessThanOrEqual(1_000);
      expect(sent.split(',').slice(0, 3)).toEqual(['otter', 'c%2B%2B', `*${encodeURIComponent(words)}*`]);
    });

    test.each([
      ['', 'q is required: the text to search for.'],
      ['?q=otter&limit=201', 'limit must be a whole number from 1 to 200.'],
      [`?q=otter&after=${randomUUID()}`, 'after must be the id of an agent in the results, or a cursor of its order.'],
      [`?q=otter&after=${agents[2]?.id}`, 'after must be the id of an agent in the results, or a cursor of its order.'],
      [`?q=%25&after=${agents[2]?.id}`, 'after must be the id of an agent in the results, or a cursor of its order.'],
      ['?Q=otter', 'q is required: the text to search for.'],
      ['?q=', 'q must not be blank: it is the text to search for.'],
      ['?q=%20+%09', 'q must not be blank: it is the text to search for.'],
      [`?q=${'q'.repeat(1_001)}`, 'q can have at most 1,000 characters.'],
      ['?q=a&q=b', 'q must be one text.'],
    ])('refuses %s with 400', async (query, sentence) => {
      const response = await get(`/api/search${query}`);
      expect(response.status).toBe(400);
      expect(await response.text()).toBe(sentence);
    });
  });

  describe('GET /api/agents/{id}', () => {
    test('sends the agent for its id in upper or lower case', async () => {
      expect(await getJson(`/api/agents/${agents[1]?.id}`)).toEqual(agents[1]);
      expect(await getJson(`/api/agents/${agents[1]?.id.toUpperCase()}`)).toEqual(agents[1]);
    });

    test('sends 404 for an unknown id', async () => {
      const response = await get(`/api/agents/${randomUUID()}`);
      expect(response.status).toBe(404);
      expect(await response.text()).toBe('No agent has this id.');
    });

    test.each(['1', 'category', 'a%2Fb', "'%20OR%201=1", `${randomUUID()}x`])(
      'for %s, which is no UUID, is refused with 400',
      async (id) => {
        const response = await get(`/api/agents/${id}`);
        expect(response.status).toBe(400);
        expect(await response.text()).toMatch(/^The id of an agent must be a UUID, such as /);
      },
    );

    test('reads the id from the path, not from the query', async () => {
      expect(await getJson(`/api/agents/${agents[0]?.id}?id=${agents[1]?.id}`)).toEqual(agents[0]);
    });
  });

  test('GET /api/stats sends the statistics', async () => {
    expect(await getJson('/api/stats')).toEqual({
      totalAgents: 5,
      categories: 6,
      monthlyViews: expect.any(Number),
      agentsPerCategory: { chatbot: 0, automation: 2, analytics: 0, creative: 0, vision: 2, language: 1 },
    });
  });

  const pathsByName = {
    'agents.list': '/api/agents?limit=2',
    'agents.byCategory': '/api/agents/category/vision',
    'agents.search': '/api/search?q=otter',
    'agents.get': `/api/agents/${agents[0]?.id}`,
    'stats.get': '/api/stats',
    openapi: OPENAPI_PATH,
  };

  test.each(Object.entries({ ...pathsByName, 'a wrong request': '/api/agents/1' }))(
    'HEAD of %s has the status and the headers of GET, without the body',
    async (_name, path) => {
      const [got, head] = [await send(app.url + path), await send(app.url + path, { method: 'HEAD' })];
      expect(head).toEqual({
        ...got,
        headers: {
          ...got.headers,
          date: expect.any(String),
          ...('x-request-id' in got.headers && { 'x-request-id': expect.any(String) as string }),
        },
        body: '',
      });
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(got.body)));
    },
  );

  test('no response sets a cookie or allows credentials of other sites', async () => {
    for (const path of [...Object.values(pathsByName), '/api/nothing', '/']) {
      const { headers } = await get(path, { headers: { origin: 'https://elsewhere.example', cookie: 'a=b' } });
      expect(headers.has('set-cookie')).toBe(false);
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  describe.each([...new Set(Object.values(endpoints).map(({ path }) => path)), OPENAPI_PATH])('%s', (path) => {
    const methodsOfPath = Object.values(endpoints).filter((endpoint) => endpoint.path === path);
    const allow =
      methodsOfPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)).join(', ') || 'GET, HEAD';
    // CONNECT asks for a tunnel, not for a path; QUERY has a test of its own.
    const methods = METHODS.filter((method) => ![...allow.split(', '), 'CONNECT', 'QUERY'].includes(method));
    const url = () => app.url + path.replace('{category}', 'vision').replace('{id}', randomUUID());

    test('refuses every other method with 405, Allow and a sentence', async () => {
      expect(methods).toEqual(expect.arrayContaining(['OPTIONS', 'PUT', 'TRACE', 'PROPFIND']));
      const answers = await Promise.all(methods.map((method) => send(url(), { method })));
      expect(answers.map(({ status, headers, body }) => [status, headers.allow, body])).toEqual(
        methods.map((method) => [405, allow, method === 'HEAD' ? '' : `${method} is not allowed here, only ${allow}.`]),
      );
    });

    test('refuses QUERY with 405, also without the required body', async () => {
      expect(await send(url(), { method: 'QUERY' })).toMatchObject({ status: 405, headers: { allow } });
    });

    test('refuses PUT with 405 for any body', async () => {
      const bodies = [
        ['application/json', '{}'],
        ['application/json', '{'],
        ['application/json', ''],
        ['application/x-www-form-urlencoded', 'a=b'],
        ['text/plain', 'x'],
      ] as const;
      const answers = await Promise.all(
        bodies.map(([type, body]) => send(url(), { method: 'PUT', headers: { 'content-type': type }, body })),
      );
      expect(answers.map(({ status, headers }) => [status, headers.allow])).toEqual(bodies.map(() => [405, allow]));
    });
  });
});

describe.each(engines)('POST /api/agents on $name', ({ open }) => {
  beforeAll(async () => {
    app = await startTestApp({ database: await open() });
  });

  afterAll(() => app.close());

  const register = (body: unknown, headers?: Record<string, string>) =>
    postJson(`${app.url}/api/agents`, body, headers);

  test('sends 201, Location and all fields of the agent', async () => {
    const newAgent = makeNewAgent({ name: '名前 🤖', capabilities: ['C++', 'élan'], website: 'https://example.com' });
    const response = await register(newAgent);
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const agent = (await response.json()) as Agent;
    expect(agent).toEqual({
      ...newAgent,
      website: 'https://example.com/',
      id: expect.any(String),
      rating: 0,
      reviewCount: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(response.headers.get('location')).toBe(`/api/agents/${agent.id}`);
    const found = await fetch(new URL(response.headers.get('location')!, response.url));
    expect(await found.json()).toEqual(agent);
  });

  test('adds the agent to the front of the list, its category, search and the statistics', async () => {
    const before = (await (await fetch(`${app.url}/api/stats`)).json()) as { totalAgents: number };
    const agent = (await (await register({ ...required, name: 'Pelican', category: 'creative' })).json()) as Agent;
    const list = (await (await fetch(`${app.url}/api/agents`)).json()) as Agent[];
    expect(list.find(({ id }) => id === agent.id)).toEqual(agent);
    expect(await (await fetch(`${app.url}/api/agents/category/creative`)).json()).toEqual([agent]);
    expect(await (await fetch(`${app.url}/api/search?q=pelican`)).json()).toEqual([agent]);
    expect(await (await fetch(`${app.url}/api/stats`)).json()).toMatchObject({ totalAgents: before.totalAgents + 1 });
  });

  test('sets defaults of missing fields and trims texts', async () => {
    const response = await register({ ...required, name: ' Front Desk ', capabilities: [' chat ', '', ' '] });
    expect(await response.json()).toMatchObject({
      name: 'Front Desk',
      capabilities: ['chat'],
      website: null,
      pricingModel: 'free',
      apiAccess: 'no',
    });
  });

  test('accepts JSON with a charset', async () => {
    const response = await register(required, { 'content-type': 'application/json; charset=utf-8' });
    expect(response.status).toBe(201);
  });

  test('accepts the largest valid agent, in characters of four bytes', async () => {
    const response = await register({
      ...required,
      name: '🤖'.repeat(50),
      description: '🤖'.repeat(1_000),
      capabilities: Array.from({ length: 30 }, () => '🤖'.repeat(30)),
      contactEmail: 'owner@example.com'.padStart(254, 'o'),
      website: 'https://example.com/'.padEnd(2_048, 'w'),
    });
    expect(response.status).toBe(201);
  });

  test('repeats the first response for a repeated Idempotency-Key: status, body and Location', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [await register(required, headers), await register({ ...required, website: '' }, headers)];
    expect(again.status).toBe(201);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await again.text()).toBe(await first.text());
    expect((await register(required, { 'idempotency-key': randomUUID() })).headers.get('location')).not.toBe(
      first.headers.get('location'),
    );
  });

  test('refuses an Idempotency-Key that was used for another agent with 422, also over tRPC', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    await register(required, headers);
    const refused = await register({ ...required, name: 'Back Desk' }, headers);
    const sentence =
      'This Idempotency-Key came with another registration or management key before; each registration needs a key of its own.';
    expect(refused.status).toBe(422);
    expect(await refused.text()).toBe(sentence);
    const call = (body: unknown) => postJson(`${app.url}/trpc/agents.register`, body, headers);
    expect((await call(required)).status).toBe(200);
    expect(await (await call({ ...required, name: 'Back Desk' })).json()).toMatchObject({
      error: { message: sentence, data: { httpStatus: 422 } },
    });
  });

  test('does not store the Idempotency-Key of a refused registration', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    expect((await register({ ...required, name: '' }, headers)).status).toBe(400);
    expect((await register(required, headers)).status).toBe(201);
  });

  test.each(['', 'two words', 'k'.repeat(256)])('refuses the Idempotency-Key %j with 400', async (key) => {
    const refused = await register(required, { 'idempotency-key': key });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toBe(
      'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces, such as a UUID.',
    );
  });

  test('stores nothing when it is refused', async () => {
    const before = await (await fetch(`${app.url}/api/agents`)).text();
    expect((await register({ ...required, rating: 5 })).status).toBe(400);
    expect(await (await fetch(`${app.url}/api/agents`)).text()).toBe(before);
  });

  test('does not read the agent from the query', async () => {
    const query = new URLSearchParams(required);
    expect((await postJson(`${app.url}/api/agents?${query.toString()}`, {})).status).toBe(400);
  });
});
