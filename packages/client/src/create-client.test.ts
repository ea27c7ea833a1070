import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApp, type TestApp } from '@agent-registry/api/testing/test-app';
import type { Page } from '@agent-registry/contracts';
import { makeAgent, makeGreatestAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import type { TRPCClient } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import { createClient, type RegistryClient } from './create-client.ts';
import { createManagementKey } from './index.ts';
import type { RestContext } from './calls.ts';
import type { ClientOptions } from './rest-call.ts';
import { RestError } from './rest-error.ts';
import type { AppRouter } from './rest-link.ts';
import type { Agent, ListedAgent, NewAgentInput, Stats } from './contract.ts';

const newAgent: NewAgentInput = {
  name: 'Front Desk & Co 100% 受付 🤖',
  description: 'Answers "calls"\nand books.',
  category: 'chatbot',
  capabilities: ['C++', 'a/b?c=d'],
  contactEmail: 'owner+desk@example.com',
  website: 'https://example.com/?a=b&c=%20#d',
  pricingModel: 'paid',
  apiAccess: 'planned',
};

/** Returns the error with which a call rejects. */
async function catchError(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (answer) => expect.fail(`The call was answered: ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
}

describe('against the application', () => {
  // Newest first, as lists have them.
  const agents = [
    makeAgent({ name: 'Otter & Weasel', category: 'vision', createdAt: '2026-01-06T00:00:00.000Z' }),
    makeAgent({ name: 'Otter', createdAt: '2026-01-05T00:00:00.000Z' }),
    makeAgent({ name: '100% Heron', category: 'vision', createdAt: '2026-01-04T00:00:00.000Z' }),
    makeAgent({ name: 'C++ Badger', createdAt: '2026-01-03T00:00:00.000Z' }),
    makeAgent({ name: 'C Badger', createdAt: '2026-01-02T00:00:00.000Z' }),
    makeAgent({ name: 'Élan 名前', createdAt: '2026-01-01T00:00:00.000Z' }),
  ];
  let app: TestApp;
  let registry: RegistryClient;

  beforeAll(async () => {
    app = await startTestApp();
    await app.agents.load(agents);
    registry = createClient({ url: app.url });
  });
  afterAll(() => app.close());

  test('agents.list gives all agents, newest first', async () => {
    expect(await registry.agents.list.query()).toEqual(agents);
  });

  test('agents.list gives a page with limit and after', async () => {
    expect(await registry.agents.list.query({ limit: 2 })).toEqual(agents.slice(0, 2));
    expect(await registry.agents.list.query({ limit: 2, after: agents[1]?.id })).toEqual(agents.slice(2, 4));
    expect(await registry.agents.list.query({ limit: undefined, after: agents[3]?.id })).toEqual(agents.slice(4));
  });

  test('agents.byCategory gives a page with limit and after', async () => {
    const first = await registry.agents.byCategory.query({ category: 'vision', limit: 1 });
    expect(first).toEqual([agents[0]]);
    expect(await registry.agents.byCategory.query({ category: 'vision', after: agents[0]?.id })).toEqual([agents[2]]);
  });

  test('agents.byCategory gives the agents of the category', async () => {
    expect(await registry.agents.byCategory.query({ category: 'vision' })).toEqual([agents[0], agents[2]]);
  });

  test('onHeaders of the context is called with the response headers', async () => {
    const totals: (string | null)[] = [];
    const context: RestContext = { onHeaders: (headers) => totals.push(headers.get('X-Total-Count')) };
    await registry.agents.list.query({ limit: 2 }, { context });
    await registry.agents.byCategory.query({ category: 'vision', limit: 2 }, { context });
    await registry.agents.list.query({ limit: 2 });
    expect(totals).toEqual(['6', '2']);
  });

  test.each([
    ['otter & weasel', ['Otter & Weasel', 'Otter']],
    ['100% heron', ['100% Heron']],
    ['c++ badger', ['C++ Badger', 'C Badger']],
    ['élan 名前', ['Élan 名前']],
    ['otter&q=heron', ['100% Heron', 'Otter', 'Otter & Weasel']],
    ['nothing#otter', ['Otter', 'Otter & Weasel']],
  ])('agents.search for %j finds %j', async (q, names) => {
    expect((await registry.agents.search.query({ q })).map(({ name }) => name)).toEqual(names);
  });

  test('agents.get gives the agent', async () => {
    expect(await registry.agents.get.query({ id: agents[2]!.id })).toEqual(agents[2]);
  });

  test('an id that looks like a path is sent as one path segment', async () => {
    const error = await catchError(registry.agents.get.query({ id: '../stats?x=$&#' }));
    expect(error).toHaveProperty('message', expect.stringMatching(/^400: The id of an agent must be a UUID/));
  });

  test('stats.get gives the figures', async () => {
    expect(await registry.stats.get.query()).toEqual({
      totalAgents: 6,
      categories: 6,
      monthlyViews: expect.any(Number),
      agentsPerCategory: { chatbot: 0, automation: 4, analytics: 0, creative: 0, vision: 2, language: 0 },
    });
  });

  test('agents.register returns the stored agent', async () => {
    const own = await startTestApp();
    onTestFinished(() => own.close());
    const ownRegistry = createClient({ url: own.url });
    const agent = await ownRegistry.agents.register.mutate(newAgent);
    expect(agent).toEqual({
      ...newAgent,
      id: expect.any(String),
      rating: 0,
      reviewCount: 0,
      createdAt: expect.any(String),
    });
    expect(await ownRegistry.agents.list.query()).toEqual([agent]);
  });

  test('a retried registration with its idempotency key registers once', async () => {
    const own = await startTestApp();
    onTestFinished(() => own.close());
    const ownRegistry = createClient({ url: own.url });
    const context: RestContext = { idempotencyKey: randomUUID() };
    const agent = await ownRegistry.agents.register.mutate(newAgent, { context });
    expect(await ownRegistry.agents.register.mutate(newAgent, { context })).toEqual(agent);
    expect(await ownRegistry.agents.list.query()).toEqual([agent]);
    const error = await catchError(ownRegistry.agents.register.mutate({ ...newAgent, name: 'Other' }, { context }));
    expect(error).toMatchObject({ status: 422 });
  });

  test('an owner changes, rotates and withdraws an agent with its management key', async () => {
    const own = await startTestApp();
    onTestFinished(() => own.close());
    const { agents: calls } = createClient({ url: own.url });
    const [key, newKey] = [createManagementKey(), createManagementKey()];
    expect(key).toMatch(/^[\w-]{43}$/);
    const { id } = await calls.register.mutate(newAgent, { context: { newKey: key } });
    let etag: string | undefined;
    await calls.get.query({ id }, { context: { onHeaders: (headers) => (etag = headers.get('ETag')!) } });
    const changed = await calls.update.mutate({ id, name: 'Renamed' }, { context: { key, ifMatch: etag } });
    expect(changed).toMatchObject({ id, name: 'Renamed', website: newAgent.website, updatedAt: expect.any(String) });
    const stale = calls.update.mutate({ id, website: null }, { context: { key, ifMatch: etag } });
    expect(await catchError(stale)).toMatchObject({ status: 412 });
    expect(await calls.replaceKey.mutate({ id }, { context: { key, newKey } })).toEqual(changed);
    expect(await catchError(calls.withdraw.mutate({ id }, { context: { key } }))).toMatchObject({ status: 401 });
    expect(await calls.withdraw.mutate({ id }, { context: { key: newKey } })).toEqual(changed);
    expect(await catchError(calls.get.query({ id }))).toMatchObject({ status: 410 });
  });

  test('an owner reads, adds to and takes back a change that waits for review', async () => {
    const own = await startTestApp({ REGISTRATION: 'held' });
    onTestFinished(() => own.close());
    const { agents: calls } = createClient({ url: own.url });
    const key = createManagementKey();
    const { agent } = await own.agents.register(makeNewAgent(), { key });
    const { id } = agent;
    const statuses: number[] = [];
    const context: RestContext = { key, onStatus: (status) => void statuses.push(status) };
    await calls.update.mutate({ id, name: 'Renamed' }, { context });
    const proposed = await calls.update.mutate({ id, pricingModel: 'paid' }, { context });
    expect(proposed).toMatchObject({ name: 'Renamed', pricingModel: 'paid' });
    expect(await calls.get.query({ id }, { context })).toEqual(proposed);
    expect(await calls.get.query({ id })).toEqual(agent);
    expect(await calls.takeBack.mutate({ id }, { context })).toEqual(agent);
    expect(statuses).toEqual([202, 202, 202, 200]);
  });

  test('the change log is followed from its start, and the history of an agent is read', async () => {
    const own = await startTestApp();
    onTestFinished(() => own.close());
    const { agents: calls, changes, followChanges } = createClient({ url: own.url });
    const key = createManagementKey();
    const { id } = await calls.register.mutate(newAgent, { context: { newKey: key } });
    const stop = new AbortController();
    const seen: unknown[] = [];
    for await (const page of followChanges({ include: 'agents', interval: 10, signal: stop.signal })) {
      seen.push([page.isStart, page.changes.map(({ change, agent }) => [change, agent?.name])]);
      if (seen.length === 1) await calls.update.mutate({ id, name: 'Renamed' }, { context: { key } });
      if (seen.length === 2) await calls.withdraw.mutate({ id }, { context: { key } });
      if (seen.length === 3) stop.abort();
    }
    expect(seen).toEqual([
      [true, [['listed', newAgent.name]]],
      [false, [['updated', 'Renamed']]],
      [false, [['removed', undefined]]],
    ]);
    expect(await changes.list.query({ limit: 1 })).toMatchObject({ changes: [{ id, change: 'removed' }] });
    expect(await catchError(calls.history.query({ id }))).toMatchObject({ status: 410 });
    const { id: other } = await calls.register.mutate(newAgent);
    expect(await calls.facts.query({ id: other })).toEqual({ monthlyViews: null });
    expect(await calls.history.query({ id: other })).toMatchObject([{ change: 'listed', actor: 'anyone', fields: [] }]);
  });

  test('following the log and walking a list by Link read every agent, however short the pages are', async () => {
    const own = await startTestApp();
    onTestFinished(() => own.close());
    await own.agents.load(Array.from({ length: 30 }, () => makeGreatestAgent()));
    const { agents: calls, followChanges } = createClient({ url: own.url });
    const stop = new AbortController();
    const followed: number[] = [];
    for await (const { changes, hasMore } of followChanges({ include: 'agents', signal: stop.signal })) {
      followed.push(changes.filter(({ agent }) => agent).length);
      if (!hasMore) stop.abort();
    }
    expect([followed.length > 1, followed.reduce((sum, count) => sum + count, 0)]).toEqual([true, 30]);
    const listed = new Set<string>();
    for (let after: string | undefined, pages = 1; ; pages += 1) {
      let link: string | null = null;
      const context: RestContext = { onHeaders: (headers) => void (link = headers.get('Link')) };
      const page = await calls.list.query({ limit: 200, after }, { context });
      for (const { id } of page) listed.add(id);
      after = /after=([^&>]+)/.exec(link ?? '')?.[1];
      if (after === undefined) {
        expect(pages).toBeGreaterThan(1);
        break;
      }
    }
    expect(listed.size).toBe(30);
  });

  test('following the log ends at once when it is aborted during a call that fails', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stop = new AbortController();
    const { followChanges } = createClient({
      url: app.url,
      fetch: (_input, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
          stop.abort();
        }),
    });
    const pages: unknown[] = [];
    for await (const page of followChanges({ signal: stop.signal })) pages.push(page);
    expect(pages).toEqual([]);
  });

  test('a trailing slash of the url is ignored', async () => {
    expect(await createClient({ url: `${app.url}/` }).agents.list.query()).toEqual(agents);
  });

  test('an error is a RestError with the status and the sentence of the registry', async () => {
    const error = await catchError(registry.agents.get.query({ id: randomUUID() }));
    expect(error).toBeInstanceOf(RestError);
    expect(error).toMatchObject({ name: 'RestError', message: '404: No agent has this id.', status: 404, errors: [] });
  });

  test('a refused registration rejects with the invalid fields', async () => {
    const error = await catchError(registry.agents.register.mutate({ ...newAgent, name: ' ', contactEmail: '' }));
    expect(error).toMatchObject({
      message: '400: Name is required; Contact email is required.',
      status: 400,
      errors: [
        { field: 'name', message: 'Name is required' },
        { field: 'contactEmail', message: 'Contact email is required' },
      ],
    });
  });

  test('filters, order and facets are those of the registry', async () => {
    const byName = await registry.agents.list.query({ sort: 'name', pricing: ['free', 'paid'], limit: 2 });
    expect(byName.map(({ name }) => name)).toEqual(['100% Heron', 'C Badger']);
    expect(await registry.agents.facets.query({ category: 'vision' })).toMatchObject({ total: 2 });
  });

  test('agents.suggest gives the suggestions for a text', async () => {
    const { id, name, category } = agents[2]!;
    expect(await registry.agents.suggest.query({ q: 'her' })).toEqual({
      agents: [{ id, name, category }],
      capabilities: [],
      categories: [],
    });
  });

  test('a call sends credentials to its own origin only, and only a POST a JSON body', async () => {
    const own = await startTestApp();
    onTestFinished(() => own.close());
    await own.agents.load(agents);
    const inits: RequestInit[] = [];
    const recorder = createClient({
      url: own.url,
      fetch: (input, init) => {
        inits.push(init!);
        return fetch(input, init);
      },
    });
    await recorder.agents.list.query();
    await recorder.agents.byCategory.query({ category: 'vision' });
    await recorder.agents.search.query({ q: 'otter' });
    await recorder.agents.get.query({ id: agents[0]!.id });
    await recorder.stats.get.query();
    await recorder.agents.register.mutate(newAgent);

    const accept = 'application/json, application/problem+json';
    const get = { method: 'GET', credentials: 'same-origin', headers: { Accept: accept } };
    expect(inits).toStrictEqual([
      ...Array.from({ length: 5 }, () => get),
      {
        ...get,
        method: 'POST',
        headers: { Accept: accept, 'Content-Type': 'application/json' },
        body: JSON.stringify(newAgent),
      },
    ]);
  });
});

describe('against a server with responses that the application never sends', () => {
  async function connect(listener: RequestListener, options: Omit<ClientOptions<'throw'>, 'url'> = {}) {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { server, url, registry: createClient({ url, ...options }) };
  }

  const answer =
    (status: number, body = '', type = 'text/plain'): RequestListener =>
    (_request, response) =>
      response.writeHead(status, { 'Content-Type': type }).end(body);

  test('the message has the status text if the body is empty', async () => {
    const { registry } = await connect(answer(503));
    expect(await catchError(registry.stats.get.query())).toMatchObject({
      message: '503: Service Unavailable',
      status: 503,
    });
  });

  test('an HTML page of a proxy is not the message', async () => {
    const { registry } = await connect(answer(502, '<!doctype html><h1>Oops</h1>', 'text/html; charset=utf-8'));
    expect(await catchError(registry.stats.get.query())).toHaveProperty('message', '502: Bad Gateway');
  });

  test('a problem of a proxy without a detail has its title as the message', async () => {
    const problem = JSON.stringify({ title: 'Quota exceeded' });
    const { registry } = await connect(answer(429, problem, 'application/problem+json'));
    expect(await catchError(registry.stats.get.query())).toMatchObject({ message: '429: Quota exceeded', errors: [] });
  });

  test('a 401 is an error by default', async () => {
    const { registry } = await connect(answer(401, 'Who are you?'));
    expect(await catchError(registry.agents.list.query())).toMatchObject({
      message: '401: Who are you?',
      status: 401,
    });
  });

  test("a 401 of a query is null with on401: 'null', other errors stay errors", async () => {
    const { url } = await connect(answer(401, 'Who are you?'));
    const nullable = createClient({ url, on401: 'null' });
    expect(await nullable.agents.list.query()).toBeNull();
    expect(await catchError(nullable.agents.register.mutate(newAgent))).toHaveProperty('status', 401);
    const { url: other } = await connect(answer(403, 'Not you.'));
    const error = await catchError(createClient({ url: other, on401: 'null' }).agents.list.query());
    expect(error).toHaveProperty('message', '403: Not you.');
  });

  test('a success without JSON rejects', async () => {
    const { registry } = await connect(answer(200, '<!doctype html>'));
    expect(await catchError(registry.agents.list.query())).toHaveProperty('name', 'SyntaxError');
  });

  test.each(['&', '%', '%26', '+', ' ', '#', '?', '=', '/', '$&', '名前 🤖', '"', '\\'])(
    'the search text %j arrives unchanged',
    async (q) => {
      const received: (string | null)[] = [];
      const { registry } = await connect(({ url }, response) => {
        received.push(new URL(url!, 'http://localhost').searchParams.get('q'));
        response.end('[]');
      });
      await registry.agents.search.query({ q });
      expect(received).toEqual([q]);
    },
  );

  test('a signal aborts a call and closes its connection', async () => {
    const { server, registry } = await connect(() => {});
    const aborter = new AbortController();
    const call = catchError(registry.agents.list.query(undefined, { signal: aborter.signal }));
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    const closed = once(request.socket, 'close');
    aborter.abort();
    expect(await call).toHaveProperty('name', 'AbortError');
    await closed;
  });

  test('following goes on after outages and limits, starts anew after a 410, and ends with other refusals', async () => {
    const answers: [status: number, body: string, headers?: Record<string, string>][] = [
      [503, 'Busy.', { 'Retry-After': '0' }],
      [200, '{"changes":[{"id":"1","change":"listed","at":""}],"next":"b","hasMore":true}'],
      [429, 'Too many.', { 'Retry-After': '0' }],
      [410, 'Start anew.'],
      [200, '{"changes":[],"next":"d","hasMore":true}'],
      [200, '{"changes":[],"next":"e","hasMore":true}'],
      [403, 'Not you.'],
    ];
    const asked: (string | null)[] = [];
    const { registry } = await connect(({ url }, response) => {
      asked.push(new URL(url!, 'http://localhost').searchParams.get('after'));
      const [status, body, headers] = answers.shift()!;
      response.writeHead(status, headers).end(body);
    });
    const pages: unknown[] = [];
    const following = async () => {
      for await (const { next, isStart } of registry.followChanges({ after: 'a' })) pages.push([next, isStart]);
    };
    expect(await catchError(following())).toMatchObject({ status: 403 });
    expect(pages).toEqual([
      ['b', false],
      ['d', true],
    ]);
    expect(asked).toEqual(['a', 'a', 'b', 'b', null, 'd', 'e']);
  });

  test.each([
    [undefined, 'url is missing: the address of the registry.'],
    ['registry.example', 'url must begin with https:// or http://, such as https://registry.example'],
    ['//registry.example', 'url must begin with https:// or http://, such as https://registry.example'],
  ])('the url %j is refused with a sentence', (url, message) => {
    expect(() => createClient({ url: url as string })).toThrow(message);
  });

  test('an unreachable server rejects', async () => {
    const { server, registry } = await connect(() => {});
    await new Promise((done) => server.close(done));
    expect(await catchError(registry.stats.get.query())).toBeInstanceOf(TypeError);
  });
});

describe('the types', () => {
  type Call = (...input: never[]) => Promise<unknown>;
  type CallOf<Procedure> = Procedure extends { query: infer C extends Call } | { mutate: infer C extends Call }
    ? C
    : never;
  type Flat<T> = T extends readonly (infer Item)[] ? Flat<Item>[] : { [Key in keyof T]: T[Key] };
  /** What is sent and received by each call of a group. */
  type Inputs<Group> = { [Name in keyof Group]: Flat<Exclude<Parameters<CallOf<Group[Name]>>[0], void | undefined>> };
  /** A page is its agents, as over REST. */
  type Body<Result> = Result extends Page ? Result['agents'] : Result;
  type Results<Group> = { [Name in keyof Group]: Flat<Body<Awaited<ReturnType<CallOf<Group[Name]>>>>> };
  type Procedures = TRPCClient<AppRouter>;

  test('of inputs and results are those of the procedures', () => {
    expectTypeOf<Inputs<RegistryClient['agents']>>().toEqualTypeOf<Inputs<Procedures['agents']>>();
    expectTypeOf<Results<RegistryClient['agents']>>().toEqualTypeOf<Results<Procedures['agents']>>();
    expectTypeOf<Inputs<RegistryClient['changes']>>().toEqualTypeOf<Inputs<Procedures['changes']>>();
    expectTypeOf<Results<RegistryClient['changes']>>().toEqualTypeOf<Results<Procedures['changes']>>();
    expectTypeOf<Results<RegistryClient['stats']>>().toEqualTypeOf<Results<Procedures['stats']>>();
  });

  test("of a client with on401: 'null' have null as a result of queries", () => {
    const nullable = createClient({ url: '', on401: 'null' });
    expectTypeOf(nullable.agents.list.query).returns.resolves.toEqualTypeOf<ListedAgent[] | null>();
    expectTypeOf(nullable.agents.register.mutate).returns.resolves.toEqualTypeOf<Agent>();
    const options: ClientOptions = { url: '' };
    expectTypeOf(createClient(options).stats.get.query).returns.resolves.toEqualTypeOf<Stats | null>();
    expectTypeOf(createClient({ url: '' }).stats.get.query).returns.resolves.toEqualTypeOf<Stats>();
  });

  test('refuse a misspelt option of a call', () => {
    const { register } = createClient({ url: '' }).agents;
    expectTypeOf(register.mutate).toBeCallableWith(newAgent, { context: { idempotencyKey: 'key' } });
    // @ts-expect-error -- the option is idempotencyKey
    expectTypeOf(register.mutate).toBeCallableWith(newAgent, { context: { idempotencyKy: 'key' } });
  });
});
