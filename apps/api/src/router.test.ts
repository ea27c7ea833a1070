import { agentRequestSchema, agentSchema, createReadRequests, defaultCategories } from '@agent-registry/contracts';
import { makeAgent, makeGreatestAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createBrowseRouter } from './agents/browse-router.ts';
import { createOwnerRouter } from './agents/owner-router.ts';
import { reportRouter, createStatsRouter, createSuggestRouter, changesRouter } from './router.ts';
import { createPrefillRouter } from './prefill/prefill-router.ts';
import { factsRouter } from './stats/facts-router.ts';
import { postJson, send, startTestApp, type TestApp } from './testing/test-app.ts';
import { procedureFor, router } from './trpc.ts';

test('a middleware of a procedure runs for REST, for the tRPC protocol and for a rendered page', async () => {
  const callers: string[] = [];
  const readRequests = createReadRequests(defaultCategories);
  const { list, byCategory, search, facets, history } = createBrowseRouter(readRequests);
  const { register, update, withdraw, takeBack, replaceKey, challenge, claim } = createOwnerRouter(defaultCategories);
  const withMiddleware = router({
    changes: changesRouter,
    prefill: createPrefillRouter(defaultCategories),
    stats: createStatsRouter(defaultCategories, readRequests),
    agents: router({
      list,
      byCategory,
      search,
      facets,
      history,
      register,
      update,
      withdraw,
      takeBack,
      replaceKey,
      challenge,
      claim,
      suggest: createSuggestRouter(defaultCategories).suggest,
      report: reportRouter.report,
      facts: factsRouter.facts,
      checkConnections: factsRouter.checkConnections,
      get: procedureFor('agents.get')
        .use(({ next, path }) => {
          callers.push(path);
          return next();
        })
        .input(agentRequestSchema)
        .output(agentSchema)
        .query(async ({ ctx, input }) => (await ctx.agents.find(input.id))!),
    }),
  });
  const app = await startTestApp({ withSite: true, router: withMiddleware });
  onTestFinished(() => app.close());
  const agent = makeAgent();
  await app.agents.load([agent]);
  const input = encodeURIComponent(JSON.stringify({ id: agent.id }));
  for (const path of [`/api/agents/${agent.id}`, `/trpc/agents.get?input=${input}`, `/agent/${agent.id}`]) {
    callers.length = 0;
    expect((await fetch(app.url + path)).status).toBe(200);
    expect(callers).toEqual(['agents.get']);
  }
});

describe('the tRPC protocol at /trpc', () => {
  const agent = makeAgent({ name: 'Otter' });
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp();
    await app.agents.load([agent]);
  });

  afterAll(() => app.close());

  const query = (path: string, input: unknown, more = '') =>
    fetch(`${app.url}/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}${more}`);

  test('answers a query', async () => {
    const response = await query('agents.search', { q: 'otter' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      result: { data: { agents: [agent], total: 1, full: 1, words: ['otter*'] } },
    });
  });

  test.each([
    ['agents.list', {}],
    ['agents.byCategory', { category: agent.category }],
  ])('sends the full list for %s', async (path, input) => {
    expect(await (await query(path, input)).json()).toEqual({ result: { data: { agents: [agent], total: 1 } } });
  });

  test('refuses a full list that is too long for one response, alone and in a batch; REST sends it', async () => {
    const large = await startTestApp();
    onTestFinished(() => large.close());
    await large.agents.load(Array.from({ length: 1_000 }, () => makeAgent({ category: 'vision' })));
    const read = async (path: string) => {
      const response = await fetch(large.url + path);
      const body: unknown = await response.json();
      return { status: response.status, body };
    };
    expect((await read('/trpc/agents.list')).status).toBe(200);

    await large.agents.load(Array.from({ length: 40 }, () => makeGreatestAgent()));
    const message = 'The list is too long for one response; please ask for pages of it with limit.';
    const refused = { error: expect.objectContaining({ message }) };
    expect(await read('/trpc/agents.list')).toEqual({ status: 400, body: refused });
    expect(await read('/trpc/agents.list,agents.list?batch=1')).toEqual({ status: 400, body: [refused, refused] });
    const input = (value: unknown) => encodeURIComponent(JSON.stringify(value));
    expect(await read(`/trpc/agents.list?input=${input({ limit: 1 })}`)).toMatchObject({ status: 200 });
    expect(await read(`/trpc/agents.byCategory?input=${input({ category: 'vision' })}`)).toMatchObject({ status: 200 });
    expect(((await read('/api/agents')).body as unknown[]).length).toBe(1_040);
  });

  test('runs several queries in one batch', async () => {
    const inputs = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index, { id: agent.id }]));
    const response = await query(Array.from({ length: 10 }, () => 'agents.get').join(','), inputs, '&batch=1');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(Array.from({ length: 10 }, () => ({ result: { data: agent } })));
  });

  test('refuses a batch of more than ten calls and runs none of them', async () => {
    const response = await query(Array.from({ length: 11 }, () => 'agents.list').join(','), {}, '&batch=1');
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain(agent.id);
  });

  test('runs the valid calls of a batch with invalid ones', async () => {
    const response = await query('agents.search,agents.search', { 0: { q: 'otter' }, 1: { q: '' } }, '&batch=1');
    expect(response.status).toBe(207);
    expect(await response.json()).toMatchObject([
      { result: { data: { agents: [agent] } } },
      { error: { data: { httpStatus: 400 } } },
    ]);
  });

  test('registers an agent with a mutation', async () => {
    const response = await postJson(`${app.url}/trpc/agents.register`, makeNewAgent({ name: 'Beaver' }));
    expect(response.status).toBe(200);
    const { result } = (await response.json()) as { result: { data: { id: string } } };
    expect(await app.agents.find(result.data.id)).toEqual(result.data);
  });

  test.each([
    ['agents.search', {}, 400, 'q is required: the text to search for.'],
    ['agents.register', null, 405, expect.stringMatching(/\.$/)],
    ['agents.get', { id: '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f' }, 404, 'No agent has this id.'],
    ['nothing', {}, 404, expect.stringMatching(/\.$/)],
    ['constructor', {}, 404, expect.stringMatching(/\.$/)],
    ['__proto__', {}, 404, expect.stringMatching(/\.$/)],
  ])('answers %s %j with %i, a sentence and no stack', async (path, input, status, message) => {
    const response = await query(path, input);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      error: { message, code: expect.any(Number), data: { code: expect.any(String), httpStatus: status, path } },
    });
  });

  test('answers malformed JSON with 400 and without a stack', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
    const response = await fetch(`${app.url}/trpc/agents.register`, init);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: 'The input is not valid JSON.' } });
  });

  test.each([
    ['JSON that is not UTF-8', 'application/json', JSON.stringify(makeNewAgent({ name: 'Zoë' })), 400],
    ['JSON that is too long', 'application/json', JSON.stringify('x'.repeat(65_536)), 413],
    ['a form of files', 'multipart/form-data; boundary=x', `--x\r\n${'x'.repeat(65_536)}\r\n--x--`, 415],
  ])('answers %s (%s) with a sentence, and stores nothing', async (_what, type, text, status) => {
    const before = await app.agents.count();
    const response = await fetch(`${app.url}/trpc/agents.register`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: Buffer.from(text, 'latin1'),
    });
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(/^The body .+\.$/);
    expect(await app.agents.count()).toBe(before);
  });

  test.each(['PUT', 'DELETE', 'PROPFIND'])('refuses %s with 405 and the allowed methods', async (method) => {
    const { status, headers, body } = await send(`${app.url}/trpc/agents.list`, { method });
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD, POST' });
    expect(body).toBe(`${method} is not allowed here, only GET, HEAD, POST.`);
  });
});
