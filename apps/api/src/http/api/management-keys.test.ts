import crypto from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createManagementKey, WRONG_KEY, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { hashKey } from '../../agents/find-owned.ts';
import type { RegistryRecord } from '../../db/record-kinds.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { postJson, send, startTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';

type Sent = { key?: string; ifMatch?: string; body?: unknown; headers?: Record<string, string> };

describe.each(surfaceEngines)('management keys on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let key: string;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database, withSite: true });
  });

  beforeEach(() => database.empty());

  beforeEach(() => {
    key = createManagementKey();
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  async function start(options: TestAppOptions = {}): Promise<TestApp> {
    const started = await startTestApp({ database, withSite: true, ...options });
    onTestFinished(() => started.close());
    return started;
  }

  async function register(fields = {}, headers: Record<string, string> = { 'management-key': key }): Promise<Agent> {
    const response = await postJson(`${app.url}/api/agents`, makeNewAgent(fields), headers);
    expect(response.status).toBe(201);
    return (await response.json()) as Agent;
  }

  function call(method: string, path: string, { key: sent, ifMatch, body, headers }: Sent = {}, { url } = app) {
    return fetch(`${url}/api/agents/${path}`, {
      method,
      headers: {
        ...(sent !== undefined && { authorization: `Bearer ${sent}` }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(body !== undefined && { 'content-type': 'application/merge-patch+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  const patch = ({ id }: Agent, body: unknown, sent: Sent = { key }) => call('PATCH', id, { ...sent, body });
  const read = async ({ id }: Agent, { url } = app) => {
    const response = await fetch(`${url}/api/agents/${id}`);
    return { status: response.status, etag: response.headers.get('etag')!, text: await response.text() };
  };
  const search = async (q: string) =>
    ((await (await fetch(`${app.url}/api/search?q=${q}`)).json()) as Agent[]).map(({ name }) => name);

  test('a registration answers the same with a key and without one, and never shows the key', async () => {
    const agent = await register();
    expect(Object.keys(agent)).toEqual(Object.keys(await register({}, {})));
    expect(JSON.stringify(agent)).not.toContain(key);
  });

  test.each([['short'], ['abcdefghi'.repeat(5).slice(0, 43)], ['!'.repeat(43)], ['abcdefghijk'.repeat(4)]])(
    'the key %s is refused with a sentence, and nothing is registered',
    async (bad) => {
      const response = await postJson(`${app.url}/api/agents`, makeNewAgent(), { 'management-key': bad });
      expect(response.status).toBe(400);
      expect(await response.text()).toMatch(/^Management-Key must be 43 random base64url characters.*\.$/);
      expect(await app.agents.count()).toBe(0);
      const agent = await register();
      const rotated = await call('POST', `${agent.id}/management-key`, { key, headers: { 'management-key': bad } });
      expect(rotated.status).toBe(400);
      expect((await patch(agent, { name: 'Mine' })).status).toBe(200);
    },
  );

  test('a repeated registration does not change the key, and is refused with another one', async () => {
    const idempotency = { 'idempotency-key': 'once' };
    const agent = await register({}, { ...idempotency, 'management-key': key });
    const other = createManagementKey();
    const repeat = (headers: Record<string, string>) =>
      postJson(`${app.url}/api/agents`, makeNewAgent(), { ...idempotency, ...headers });
    const refused = await repeat({ 'management-key': other });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      'This Idempotency-Key came with another registration or management key before; each registration needs a key of its own.',
    ]);
    for (const headers of [{ 'management-key': key }, {}] as Record<string, string>[]) {
      const repeated = await repeat(headers);
      expect([repeated.status, await repeated.json()]).toEqual([201, agent]);
    }
    const keyless = { ...idempotency, 'idempotency-key': 'keyless' };
    await register({}, keyless);
    expect((await repeat({ ...keyless, 'management-key': key })).status).toBe(422);
    expect((await patch(agent, { name: 'Other' }, { key: other })).status).toBe(401);
    expect((await patch(agent, { name: 'Mine' })).status).toBe(200);
  });

  test('an address is kept as the URL parser writes it, and refused if the parser reads another host', async () => {
    const agent = await register({ website: 'HTTPS://Example.COM:443/a/../b' });
    expect(agent.website).toBe('https://example.com/b');
    const edited = await patch(agent, { website: 'https://bücher.example' });
    expect(await edited.json()).toMatchObject({ website: 'https://xn--bcher-kva.example/' });
    for (const website of ['https://example\u3002com', 'https://example.com\\@other.example', 'http://3221225991']) {
      const refused = [
        await patch(agent, { website }),
        await postJson(`${app.url}/api/agents`, makeNewAgent({ website })),
      ];
      for (const response of refused) {
        expect(response.status).toBe(400);
        expect(await response.text()).toMatch(/^Website must name its host as browsers read it: [\w.]+\.$/);
      }
    }
    expect(await (await fetch(`${app.url}/api/agents/${agent.id}`)).json()).toMatchObject({
      website: 'https://xn--bcher-kva.example/',
    });
  });

  test('an edit changes the given fields, search, facets and updatedAt, but neither createdAt nor the order', async () => {
    const agent = await register({ name: 'SwiftOtter', capabilities: ['rivers'], website: 'https://example.com' });
    const later = await register({ name: 'Heron' });
    const response = await patch(agent, {
      name: '  Quick Badger ',
      capabilities: ['setts', 'tunnels'],
      website: null,
      category: 'vision',
    });
    expect(response.status).toBe(200);
    const changed = (await response.json()) as Agent;
    expect(changed).toEqual({
      ...agent,
      name: 'Quick Badger',
      capabilities: ['setts', 'tunnels'],
      website: null,
      category: 'vision',
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(changed.updatedAt! > agent.createdAt).toBe(true);
    expect(await read(agent)).toEqual({
      status: 200,
      etag: response.headers.get('etag'),
      text: JSON.stringify(changed),
    });
    expect(await app.agents.list()).toEqual([later, changed]);
    expect(await search('badger')).toEqual(['Quick Badger']);
    expect([await search('swiftotter'), await search('rivers')]).toEqual([[], []]);
    expect(await app.agents.countByCategory()).toMatchObject({ vision: 1, automation: 1 });
  });

  test.each([
    [{ name: null }, 'Name must be text.'],
    [{ name: ' ' }, 'Name is required.'],
    [{ contactEmail: 'none' }, 'Contact email must be an address such as name@example.com.'],
    [{ color: 'red' }, 'These fields are not accepted: color.'],
    [{ color: null }, 'These fields are not accepted: color.'],
    [{ id: 'x' }, 'These fields are not accepted: id.'],
    [{ rating: 5 }, 'These fields are not accepted: rating.'],
    [{ key: 'x' }, 'These fields are not accepted: key.'],
    [['name'], 'The body must be a JSON object.'],
    [null, 'The body must be a JSON object.'],
  ])('the edit %j is refused with a sentence and changes nothing', async (body, sentence) => {
    const agent = await register();
    const response = await patch(agent, body);
    expect([response.status, await response.text()]).toEqual([400, sentence]);
    expect(await app.agents.find(agent.id)).toEqual(agent);
  });

  test('an agent with texts that were accepted earlier, or of a removed category, can be edited in its other fields', async () => {
    const old = makeAgent({
      name: 'Old\uFFFE\u202E Name',
      description: `a${'\u0301'.repeat(96)} \u{E0041}`,
      capabilities: ['one\u2060', 'x'.repeat(61)],
      category: 'garden',
      contactEmail: '.owner@localhost',
      website: 'https://example.com/\u{E0041}',
    });
    await app.agents.load([old]);
    await createOperatorStore(database.engine).setKeyHash(old.id, hashKey(key));
    const fields = { name: 'New', description: 'Does\nmore.', capabilities: ['two'], category: 'vision' } as const;
    const edited = { ...old };
    for (const [field, value] of Object.entries({ ...fields, contactEmail: 'new@example.com', website: null })) {
      const refused = await patch(old, { [field]: old[field as keyof Agent] });
      expect([field, refused.status]).toEqual([field, 400]);
      const response = await patch(old, { [field]: value });
      expect(response.status).toBe(200);
      Object.assign(edited, { [field]: value });
      expect(await response.json()).toEqual({ ...edited, updatedAt: expect.any(String) });
    }
  });

  test('null stands for the default of an optional field, and JSON is accepted as application/json too', async () => {
    const agent = await register({ pricingModel: 'paid', apiAccess: 'yes', capabilities: ['x'] });
    const headers = { 'content-type': 'application/json' };
    const body = { pricingModel: null, apiAccess: null, capabilities: null };
    const response = await call('PATCH', agent.id, { key, body, headers });
    expect(await response.json()).toMatchObject({ pricingModel: 'free', apiAccess: 'no', capabilities: [] });
  });

  test('a wrong, old or missing key, and an agent without a key, get one sentence after the same comparison', async () => {
    const [agent, keyless] = [await register(), await register({}, {})];
    const newKey = createManagementKey();
    const rotated = await call('POST', `${agent.id}/management-key`, { key, headers: { 'management-key': newKey } });
    expect([rotated.status, await rotated.json()]).toEqual([200, agent]);
    const tries: [Agent, Sent][] = [
      [agent, { key: createManagementKey() }],
      [agent, { key }],
      [agent, {}],
      [agent, { headers: { authorization: `Basic ${newKey}` } }],
      [keyless, { key: newKey }],
      [keyless, {}],
    ];
    const compare = vi.spyOn(crypto, 'timingSafeEqual');
    syncBuiltinESMExports();
    onTestFinished(() => {
      compare.mockRestore();
      syncBuiltinESMExports();
    });
    const proxied = await start({ TRUST_PROXY: 1 });
    for (const [index, [tried, sent]] of tries.entries()) {
      for (const [method, path] of [
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/management-key'],
      ] as const) {
        compare.mockClear();
        const client = { 'x-forwarded-for': `192.0.2.${index}` };
        const headers = { ...client, ...sent.headers, ...(method === 'POST' && { 'management-key': newKey }) };
        const body = method === 'PATCH' ? { body: { name: 'Theirs' } } : {};
        const response = await call(method, tried.id + path, { ...sent, ...body, headers }, proxied);
        expect([response.status, await response.text()]).toEqual([401, `${WRONG_KEY}.`]);
        expect(response.headers.get('www-authenticate')).toBe('Bearer');
        expect(compare.mock.calls.map((texts) => texts.map(({ byteLength }) => byteLength))).toEqual([[64, 64]]);
      }
    }
    expect(await app.agents.find(agent.id)).toEqual(agent);
    expect((await patch(agent, { name: 'Mine' }, { key: newKey })).status).toBe(200);
  });

  test('a read with the key tells its owner that it is right, changes nothing, and is for nobody else', async () => {
    const proxied = await start({ TRUST_PROXY: 1 });
    const agent = await register();
    const before = await read(agent, proxied);
    const readAs = async (sent: string) => {
      const response = await call('GET', agent.id, { key: sent }, proxied);
      const { status, headers } = response;
      return {
        status,
        vary: headers.get('vary'),
        cacheControl: headers.get('cache-control'),
        text: await response.text(),
      };
    };
    const [views, version] = [await app.views.monthlyViews(), await app.agents.version()];
    expect(await readAs(key)).toEqual({
      status: 200,
      vary: 'Authorization',
      cacheControl: 'private, no-store',
      text: before.text,
    });
    for (let index = 0; index < 10; index += 1) {
      expect(await readAs(createManagementKey())).toMatchObject({ status: 401, text: `${WRONG_KEY}.` });
    }
    expect(await readAs(createManagementKey())).toMatchObject({ status: 429 });
    expect(await readAs(key)).toMatchObject({ status: 200 });
    expect(await read(agent, proxied)).toEqual(before);
    expect([await app.views.monthlyViews(), await app.agents.version()]).toEqual([views, version]);
    const page = await fetch(`${proxied.url}/agent/${agent.id}`, { headers: { authorization: 'Bearer wrong' } });
    expect(page.status).toBe(200);
    const keyless = await register({}, {});
    expect((await call('GET', keyless.id, { key })).status).toBe(401);
  });

  test('an edit without fields tells whether the key is right, and changes nothing', async () => {
    const agent = await register();
    const response = await patch(agent, {});
    expect([response.status, await response.json()]).toEqual([200, agent]);
    expect((await patch(agent, {}, { key: createManagementKey() })).status).toBe(401);
    expect(await app.agents.find(agent.id)).toEqual(agent);
  });

  test('an unknown id is 404 like a read, with any key', async () => {
    const unknown = { ...(await register()), id: '00000000-0000-4000-8000-000000000000' };
    expect((await patch(unknown, {})).status).toBe(404);
    expect((await call('DELETE', unknown.id)).status).toBe(404);
    const hidden = await register();
    await createOperatorStore(database.engine).hide({ ids: new Set([hidden.id]) }, 'Spam');
    expect([(await patch(hidden, {})).status, (await read(hidden)).status]).toEqual([404, 404]);
  });

  test('the eleventh wrong try in a minute is 429, for this agent and client only', async () => {
    const proxied = await start({ TRUST_PROXY: 1 });
    const [agent, other] = [await register(), await register()];
    const attempt = async ({ id }: Agent, from: string) =>
      (await call('DELETE', id, { headers: { 'x-forwarded-for': from } }, proxied)).status;
    for (let index = 0; index < 10; index += 1) expect(await attempt(agent, '192.0.2.1')).toBe(401);
    expect(await attempt(agent, '192.0.2.1')).toBe(429);
    expect([await attempt(other, '192.0.2.1'), await attempt(agent, '192.0.2.2')]).toEqual([401, 401]);
    expect((await patch(agent, { name: 'Mine' })).status).toBe(200);
  });

  test('edits have a rate limit of their own, over both protocols', async () => {
    const limited = await start({ editLimit: 2, REGISTER_LIMIT: 1 });
    const agent = await register();
    const edit = () => call('PATCH', agent.id, { key, body: { name: 'Mine' } }, limited);
    expect([(await edit()).status, (await edit()).headers.get('ratelimit-policy')]).toEqual([200, '"edit";q=2;w=60']);
    const refused = await edit();
    expect(refused.status).toBe(429);
    expect(await refused.text()).toMatch(/^Your address has sent more than 2 changes within a minute\./);
    const overTrpc = () =>
      postJson(`${limited.url}/trpc/agents.update`, { id: agent.id, name: 'x' }, { authorization: `Bearer ${key}` });
    expect((await overTrpc()).status).toBe(429);
    expect((await postJson(`${limited.url}/api/agents`, makeNewAgent())).status).toBe(201);
  });

  test('the tRPC protocol has the same calls and statuses', async () => {
    const agent = await register();
    const overTrpc = async (name: string, input: unknown, headers: Record<string, string> = {}) => {
      const response = await postJson(`${app.url}/trpc/agents.${name}`, input, headers);
      return { status: response.status, body: await response.json() };
    };
    const authorization = `Bearer ${key}`;
    const { id } = agent;
    expect(await overTrpc('update', { id, name: 'Mine' }, { authorization })).toMatchObject({
      status: 200,
      body: { result: { data: { name: 'Mine' } } },
    });
    expect((await overTrpc('update', { id, name: 'Mine' })).status).toBe(401);
    expect((await overTrpc('withdraw', { id }, { authorization, 'if-match': '"other"' })).status).toBe(412);
    expect((await overTrpc('withdraw', { id }, { authorization })).status).toBe(200);
    expect(await overTrpc('withdraw', { id }, { authorization })).toMatchObject({
      status: 410,
      body: { error: { message: 'This agent was withdrawn.', data: { httpStatus: 410 } } },
    });
  });

  test('If-Match holds for the ETag of the agent, which changes with this agent only', async () => {
    const agent = await register();
    const { etag } = await read(agent);
    await register();
    expect((await read(agent)).etag).toBe(etag);
    expect((await patch(agent, { name: 'One' }, { key, ifMatch: etag })).status).toBe(200);
    const stale = await patch(agent, { name: 'Two' }, { key, ifMatch: etag });
    expect([stale.status, await stale.text()]).toEqual([
      412,
      'The agent has changed since you read it. Read it again and repeat the change.',
    ]);
    const compressed = await send(`${app.url}/api/agents/${agent.id}`, { headers: { 'accept-encoding': 'br' } });
    for (const ifMatch of [`"x", ${compressed.headers.etag}`, '*']) {
      const { status } = await patch(agent, { description: 'Does more.' }, { key, ifMatch });
      expect(status).toBe(200);
    }
    for (const ifMatch of [`W/${(await read(agent)).etag}`, 'nonsense']) {
      expect((await patch(agent, { name: 'Three' }, { key, ifMatch })).status).toBe(412);
      expect((await call('DELETE', agent.id, { key, ifMatch })).status).toBe(412);
    }
    expect(await app.agents.find(agent.id)).toMatchObject({ name: 'One', description: 'Does more.' });
  });

  test('If-None-Match refuses a change of an agent that it names', async () => {
    const agent = await register();
    const { etag } = await read(agent);
    const body = JSON.stringify({ name: 'Renamed' });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const change = async (ifNoneMatch: string) =>
      (
        await send(`${app.url}/api/agents/${agent.id}`, {
          method: 'PATCH',
          headers: { ...headers, 'if-none-match': ifNoneMatch },
          body,
        })
      ).status;
    for (const ifNoneMatch of ['*', `"x", W/${etag}`]) expect(await change(ifNoneMatch)).toBe(412);
    expect(await change('"x"')).toBe(200);
  });

  test('of concurrent edits with one ETag exactly one wins, and without an ETag each field keeps its last value', async () => {
    const other = await start();
    const agent = await register();
    const { etag } = await read(agent);
    const names = ['One', 'Two', 'Three', 'Four'];
    const edits = names.map((name, index) =>
      call('PATCH', agent.id, { key, ifMatch: etag, body: { name } }, index % 2 === 0 ? app : other),
    );
    const statuses = (await Promise.all(edits)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 412, 412, 412]);
    expect((await app.agents.find(agent.id))?.name).toBe(names[statuses.indexOf(200)]);
    const fields = { name: 'Five', description: 'Five.', website: 'https://example.com/', category: 'vision' };
    const single = Object.entries(fields).map(([field, value], index) =>
      call('PATCH', agent.id, { key, body: { [field]: value } }, index % 2 === 0 ? app : other),
    );
    expect((await Promise.all(single)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await app.agents.find(agent.id)).toMatchObject(fields);
  });

  test('a withdrawn agent is 410 and listed by no process with the next request, until it is restored', async () => {
    const other = await start();
    const agent = await register({ name: 'SwiftOtter' }, { 'management-key': key, 'idempotency-key': 'once' });
    const look = async ({ url }: TestApp) => {
      const texts = [];
      for (const path of ['/api/agents', '/api/search?q=swiftotter', '/api/stats', '/sitemap.xml', '/feed.xml', '/']) {
        texts.push(await (await fetch(url + path)).text());
      }
      return texts.join('\n');
    };
    const before = [await look(app), await look(other)];
    expect(before[0]).toContain(agent.id);
    const response = await call('DELETE', agent.id, { key });
    expect([response.status, await response.json()]).toEqual([200, agent]);
    for (const process of [app, other]) {
      expect(await read(agent, process)).toMatchObject({ status: 410, text: 'This agent was withdrawn.' });
      expect(await look(process)).not.toContain(agent.id);
      expect((await fetch(`${process.url}/og/agent/${agent.id}.png`)).status).not.toBe(200);
    }
    for (const method of ['PATCH', 'DELETE']) {
      const again = await call(method, agent.id, { key, ...(method === 'PATCH' && { body: {} }) });
      expect(again.status).toBe(410);
    }
    expect((await register({ name: 'SwiftOtter' }, { 'idempotency-key': 'once' })).id).not.toBe(agent.id);
    const operator = createOperatorStore(database.engine);
    await operator.restore({ ids: new Set([agent.id]) });
    expect(await read(agent, other)).toMatchObject({ status: 200, text: JSON.stringify(agent) });
    expect((await patch(agent, { name: 'Mine' })).status).toBe(200);
  });

  test('a read with a malformed key, or none after Bearer, does not look as if the key were right', async () => {
    const { id } = await register();
    const forms = ['Bearer', 'Bearer short', `bearer  ${key}=`, `Bearer "${key}"`, `Bearer ${key} ${key}`];
    for (const authorization of [...forms, `bearer  ${key}`]) {
      const { status } = await send(`${app.url}/api/agents/${id}`, { headers: { authorization } });
      expect([authorization, status]).toEqual([authorization, forms.includes(authorization) ? 401 : 200]);
    }
  });

  test('a key in the address is refused, and no read with a key changes anything', async () => {
    const agent = await register();
    const inAddress = await call('PATCH', `${agent.id}?key=${key}`, { key, body: { name: 'Theirs' } });
    expect([inAddress.status, await inAddress.text()]).toEqual([
      400,
      'This call has no query parameters; send the key in a header.',
    ]);
    expect((await call('DELETE', `${agent.id}?authorization=Bearer%20${key}`)).status).toBe(400);
    expect((await postJson(`${app.url}/api/agents?key=${key}`, makeNewAgent())).status).toBe(400);
    expect(await app.agents.count()).toBe(1);
    expect((await call('GET', `${agent.id}?_method=DELETE`, { key })).status).toBe(200);
    expect((await fetch(`${app.url}/trpc/agents.withdraw?input=${JSON.stringify({ id: agent.id })}`)).status).toBe(405);
    expect(await app.agents.find(agent.id)).toEqual(agent);
  });

  test.each(['key', 'managementKey', 'management-key', 'Management-Key'])(
    '%s in the address of a read is refused',
    async (name) => {
      const { id } = await register();
      for (const path of [
        '/api/agents',
        `/api/agents/${id}`,
        `/api/agents/${id}/facts`,
        '/api/agents/category/chatbot',
      ]) {
        const response = await fetch(`${app.url}${path}?${name}=${key}`);
        expect([response.status, await response.text()]).toEqual([
          400,
          expect.stringContaining(`${name} is no parameter`),
        ]);
      }
      expect((await fetch(`${app.url}/?${name}=x`)).status).toBe(200);
    },
  );

  test('a form of another site cannot send a change', async () => {
    const agent = await register();
    const headers = { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of ['', '/management-key']) {
      const response = await send(`${app.url}/api/agents/${agent.id}${path}`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${key}` },
        body: `_method=DELETE&key=${key}`,
      });
      expect(response.status).toBe(path === '' ? 405 : 415);
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(await app.agents.find(agent.id)).toEqual(agent);
  });

  test('no key is in the database, its files, backups, exports, logs or answers', async () => {
    const texts: string[] = [];
    const logger = { level: 'trace', stream: { write: (line: string) => void texts.push(line) } };
    const logged = await start({ logger });
    const [newKey, wrong] = [createManagementKey(), createManagementKey()];
    const headers = { 'management-key': key, 'idempotency-key': 'once' };
    const registered = await postJson(`${logged.url}/api/agents`, makeNewAgent(), headers);
    const agent = (await registered.clone().json()) as Agent;
    const rotation = { key, headers: { 'management-key': newKey } };
    const answers = [
      registered,
      await call('PATCH', agent.id, { key, body: { name: 'Renamed' } }, logged),
      await call('POST', `${agent.id}/management-key`, rotation, logged),
      await call('DELETE', agent.id, { key: wrong }, logged),
      await call('PATCH', `${agent.id}?key=${newKey}`, { key: newKey, body: {} }, logged),
      await call('GET', agent.id, { key: newKey }, logged),
    ];
    for (const answer of answers) texts.push(JSON.stringify([...answer.headers]), await answer.text());
    const { engine, url } = database;
    for (const table of ['agents', 'unlisted_agents', 'registration_keys', 'rate_limits'] as const) {
      texts.push(JSON.stringify(await engine.db.selectFrom(table).selectAll().execute()));
    }
    // The records of a backup; an export has the agents only.
    const records: RegistryRecord[] = [];
    for await (const record of createOperatorStore(engine).read()) records.push(record);
    texts.push(JSON.stringify(records));
    if (url.startsWith('file:')) {
      const path = url.slice('file:'.length);
      for (const file of [path, `${path}-wal`]) texts.push(await readFile(file, 'latin1'));
    }
    const all = texts.join('\n');
    expect(all).toContain(hashKey(newKey));
    for (const secret of [key, newKey, wrong]) expect(all.includes(secret)).toBe(false);
    expect(JSON.stringify(await app.agents.list())).not.toContain(hashKey(newKey));
  });
});
