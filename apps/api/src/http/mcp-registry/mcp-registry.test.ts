import { randomUUID } from 'node:crypto';
import { request as send } from 'node:http';
import { json } from 'node:stream/consumers';
import { createManagementKey, type Agent, type Connection, type EntryFacts } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgentStore } from '../../stores.ts';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { DatabaseUnavailableError } from '../../database-error.ts';
import { nameListedServers } from '../../servers/server-names.ts';
import { createServerStore, listServers, type ServerPlace } from '../../servers/server-store.ts';
import { engines, surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { serverListSchema, serverResponseSchema } from '../../testing/validate-servers.ts';

const remote: Connection = { kind: 'mcp', transport: 'streamable-http', url: 'https://tides.example.com/mcp' };
const a2a: Connection = { kind: 'a2a', card: 'https://tides.example.com/.well-known/agent-card.json' };
const publicUrl = 'https://registry.example';

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await surfaceEngines[0]!.open();
  const engine = { ...database.engine, serverNamespace: 'example.registry' };
  app = await startTestApp({
    database: { engine },
    PUBLIC_URL: publicUrl,
    agents: createAgentStore(engine),
  });
});

afterAll(async () => {
  await app.close();
  await database.remove();
});

/** Sends a request as it is written: `fetch` would decode and encode its path. */
function ask(
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const { hostname, port } = new URL(app.url);
  return new Promise<{ status: number; headers: Record<string, unknown>; body: unknown }>((resolve, reject) => {
    send({ hostname, port, path, method, headers, agent: false }, (response) => {
      const { statusCode: status = 0 } = response;
      const type = response.headers['content-type'] ?? '';
      void (type.startsWith('application/json') ? json(response) : Promise.resolve(response.resume())).then(
        (body) => resolve({ status, headers: response.headers, body }),
        reject,
      );
    })
      .on('error', reject)
      .end();
  });
}

async function list(query = '') {
  const { status, body } = await ask(`/v0.1/servers${query}`);
  expect(status).toBe(200);
  return serverListSchema.parse(body);
}

async function crawl(query: string): Promise<string[]> {
  const names: string[] = [];
  for (let cursor = ''; ;) {
    const { servers, metadata } = await list(`${query}${cursor}`);
    names.push(...servers.map(({ server }) => server.name));
    if (metadata.nextCursor === undefined) return names;
    cursor = `&cursor=${metadata.nextCursor}`;
  }
}

async function register(name: string, connections: Connection[] = [remote]): Promise<{ agent: Agent; server: string }> {
  const { agent } = await app.agents.register(makeNewAgent({ name, connections }), { key: 'key' });
  return { agent, server: `example.registry/${name.toLowerCase()}-${agent.id.slice(0, 8)}` };
}

describe('Clients', () => {
  let tides: { agent: Agent; server: string };
  let path: string;

  beforeAll(async () => {
    tides = await register('Tides');
    path = `/v0.1/servers/${encodeURIComponent(tides.server)}`;
  });

  test('VS Code: probe, list and look-up', async () => {
    const probe = await ask('/v0.1/servers?limit=1');
    expect(serverListSchema.parse(probe.body).servers[0]?.server.name).toBe('example.registry/agents');
    const { servers } = await list('?limit=50&version=latest');
    expect(servers.map(({ server }) => server.name)).toEqual(['example.registry/agents', tides.server]);
    const found = await ask(`${path}/versions/latest`);
    for (const address of [`${path}/versions/latest`, `${path}/versions`]) {
      const { etag } = (await ask(address)).headers as { etag: string };
      expect((await ask(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
    expect(serverResponseSchema.parse(found.body)).toMatchObject({
      server: { name: tides.server, title: 'Tides', remotes: [{ type: 'streamable-http', url: remote.url }] },
      _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true } },
    });
  });

  test('Copilot CLI, ToolHive, LangChain4j: list, versions, one version, ping and health', async () => {
    expect((await list('?limit=30')).metadata.count).toBe(2);
    expect((await list('?limit=100&version=latest')).metadata).toEqual({ count: 2 });
    const { body } = await ask(`${path}/versions`);
    const [entry] = serverListSchema.parse(body).servers;
    expect((await ask(`${path}/versions/${entry?.server.version}`)).body).toEqual(entry);
    expect((await ask('/v0.1/ping')).body).toEqual({ pong: true });
    expect((await ask('/v0.1/health')).body).toEqual({ status: 'ok' });
    const { info } = (await (await fetch(`${app.url}/openapi.yaml`)).json()) as Record<string, object>;
    expect(info).toMatchObject({
      version: '1.0.0',
      description: expect.stringContaining('https://github.com/modelcontextprotocol/registry'),
    });
  });

  test('Its description has the schema of every answer', async () => {
    const document = (await (await fetch(`${app.url}/openapi.yaml`)).json()) as {
      paths: Record<string, { get: { responses: Record<string, { content: Record<string, { schema: object }> }> } }>;
    };
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(document, 'document');
    for (const [pattern, { get }] of Object.entries(document.paths)) {
      const path = pattern.replace('{serverName}', encodeURIComponent(tides.server)).replace('{version}', 'latest');
      const answer = await ask(path);
      const { $ref } = get.responses['200']!.content['application/json']!.schema as { $ref: string };
      const validate = ajv.compile({ $ref: `document${$ref}` });
      expect([path, answer.status, validate(answer.body), validate.errors]).toEqual([path, 200, true, null]);
      expect(validate({ other: 1 })).toBe(false);
    }
    const { body } = await ask('/v0.1/servers/a%2Fb/versions/latest');
    expect(ajv.compile({ $ref: 'document#/components/schemas/Error' })(body)).toBe(true);
  });

  test('A proxy may have decoded the slash of a name', async () => {
    const decoded = await ask(`/v0.1/servers/${tides.server}/versions/latest`);
    expect(decoded.body).toEqual((await ask(`${path}/versions/latest`)).body);
  });

  test('The server of the registry itself is found by its name', async () => {
    const { body } = await ask('/v0.1/servers/example.registry%2Fagents/versions/latest');
    expect(serverResponseSchema.parse(body).server.remotes).toEqual([
      { type: 'streamable-http', url: `${publicUrl}/mcp` },
    ]);
  });

  test.each([
    ['/v0.1/servers/example.registry%2Fnone/versions/latest', 404, 'Server not found'],
    ['/v0.1/servers/x/versions', 404, 'Server not found'],
    ['/v0.1/servers/%00/versions/latest', 404, 'Server not found'],
    [`/v0.1/servers/${'x'.repeat(300)}/versions/latest`, 404, 'Server not found'],
    ['/v0.1/servers/example.registry%2Fagents/versions/9', 404, 'Server not found'],
    ['/v0.1/none', 404, 'There is nothing at this address'],
    ['/v0.1/servers?limit=0', 400, 'limit must be a whole number from 1 to 100'],
    ['/v0.1/servers?limit=x', 400, 'limit must be a whole number from 1 to 100'],
    ['/v0.1/servers?cursor=x', 400, 'cursor must be that of a page of this list'],
    [`/v0.1/servers?search=${'x'.repeat(1_001)}`, 400, 'The text to search for can have at most 1,000 characters'],
    ['/v0.1/servers?version=%00', 400, 'version must be latest or a version'],
    [
      '/v0.1/servers?updated_since=yesterday',
      400,
      'updated_since must be a time with its zone, such as 2026-11-26T18:15:00Z',
    ],
  ])('%s is %i', async (address, status, error) => {
    const answer = await ask(address);
    expect([answer.status, answer.body]).toEqual([status, { error }]);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  test.each([
    ['POST', '/v0.1/publish'],
    ['PUT', '/v0.1/servers/a%2Fb/versions/1.0.0'],
    ['DELETE', '/v0.1/servers/a%2Fb/versions/1.0.0'],
    ['PATCH', '/v0.1/servers/a%2Fb/status'],
  ])('%s %s is not supported', async (method, address) => {
    const answer = await ask(address, { method });
    expect([answer.status, answer.body]).toEqual([501, { error: 'Publishing is not supported by this registry' }]);
  });

  test('Pages of every origin may read, with the headers that Copilot sends', async () => {
    const headers = { origin: 'https://github.com', 'access-control-request-method': 'GET' };
    for (const address of ['/v0.1/servers', `${path}/versions/latest`]) {
      for (const request of [{ method: 'OPTIONS', headers }, { headers: { origin: 'https://github.com' } }]) {
        expect((await ask(address, request)).headers).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, OPTIONS',
          'access-control-allow-headers': 'Authorization, Content-Type',
        });
      }
    }
  });

  test('An earlier version shows the present server under its number', async () => {
    const [before] = (await list('?limit=100')).servers.slice(-1);
    await app.agents.update(tides.agent.id, { key: 'key' }, { description: 'High water for 500 ports' });
    const { body } = await ask(`${path}/versions/${before?.server.version}`);
    const { server } = serverResponseSchema.parse(body);
    expect([server.version, server.description]).toEqual([before?.server.version, 'High water for 500 ports']);
  });
});

describe.each(engines)('Servers on $name', ({ open }) => {
  let own: TestDatabase;
  let served: TestApp;
  let former: TestApp;

  beforeAll(async () => {
    own = await open();
    const engine = { ...own.engine, serverNamespace: 'example.registry' };
    const agents = createAgentStore(engine);
    // Naming servers afterwards changes no agent.
    served = await startTestApp({ database: { engine }, PUBLIC_URL: publicUrl, agents, CACHE_SIZE: 0 });
    former = app;
    app = served;
  });

  afterAll(async () => {
    app = former;
    await served.close();
    await own.remove();
  });

  test('A crawl by pages of any size finds each server once, in the order of listing', async () => {
    const names: string[] = ['example.registry/agents'];
    for (let index = 0; index < 5; index += 1) names.push((await register(`Server${index}`)).server);
    await register('Card', [a2a]);
    for (const limit of [1, 2, 3, 100]) expect(await crawl(`?limit=${limit}`)).toEqual(names);
  });

  test('A crawl under writes neither misses nor repeats', async () => {
    const before = await crawl('?limit=100');
    const { servers, metadata } = await list('?limit=2');
    const { agent, server } = await register('Late');
    await served.agents.update(agent.id, { key: 'key' }, { name: 'Renamed' });
    const rest = await crawl(`?limit=2&cursor=${metadata.nextCursor}`);
    expect([...servers.map((entry) => entry.server.name), ...rest]).toEqual([...before, server]);
  });

  test('Hidden, withdrawn and forgotten servers are gone from look-ups, and deleted in the changes', async () => {
    const operator = createOperatorStore(own.engine);
    const hidden = await register('Hidden');
    const erased = await register('Erased');
    const { agent: held } = await served.agents.register(makeNewAgent({ connections: [remote] }), { isHeld: true });
    const start = new Date(Date.parse(hidden.agent.createdAt) - 1).toISOString();
    await operator.hide({ ids: new Set([hidden.agent.id]) }, 'test');
    await operator.erase({ ids: new Set([erased.agent.id]) });
    for (const { server } of [hidden, erased]) {
      expect((await ask(`/v0.1/servers/${encodeURIComponent(server)}/versions/latest`)).status).toBe(404);
    }
    for (const query of [`?updated_since=${start}`, '?include_deleted=true']) {
      const entries = (await list(query)).servers;
      const found = entries.find(({ server }) => server.name === hidden.server);
      expect(found).toMatchObject({
        server: { description: 'Removed' },
        _meta: { 'io.modelcontextprotocol.registry/official': { status: 'deleted' } },
      });
      expect(entries.map(({ server }) => server.name)).not.toContain(erased.server);
      expect(JSON.stringify(entries)).not.toContain(held.id.slice(0, 8));
    }
    expect(await crawl('?limit=100')).not.toContain(hidden.server);
    await operator.unhide({ ids: new Set([hidden.agent.id]) });
    expect(await crawl('?limit=100')).toContain(hidden.server);
  });

  test('The changes come by pages, and an empty page is no error', async () => {
    const all = await crawl('?limit=100&include_deleted=true');
    expect(await crawl('?limit=2&include_deleted=true')).toEqual(all);
    expect((await list(`?updated_since=${new Date(Date.now() + 60_000).toISOString()}`)).servers).toEqual([]);
  });

  test('A list can be limited to a version', async () => {
    const { servers } = await list('?limit=3');
    const { version } = servers[1]!.server;
    const names = (await list(`?version=${version}`)).servers.map(({ server }) => server.version);
    expect(new Set(names)).toEqual(new Set([version]));
    expect((await list("?version=1'%25")).servers).toEqual([]);
  });

  test('The parameters of a list hold together, in every pair', async () => {
    const servers: Awaited<ReturnType<typeof register>>[] = [];
    for (const name of ['River', 'Delta', 'Delta-River', 'Stream']) servers.push(await register(name));
    await served.agents.update(servers[3]!.agent.id, { key: 'key' }, { description: 'A river of data' });
    const { servers: all } = await list('?limit=100');
    const stream = all.find(({ server }) => server.name === servers[3]!.server);
    const time = stream!._meta['io.modelcontextprotocol.registry/official'].updatedAt;
    const parameters = {
      search: ['river', 'DELTA-', 'example.registry/agents', '_'],
      version: ['latest', stream!.server.version],
      updated_since: [time, '2026-01-01T00:00:00Z'],
      include_deleted: ['true', 'false'],
    };
    const gone = await register('Gone-River');
    await served.agents.withdraw(gone.agent.id, { key: 'key' });
    const everything = (await list('?limit=100&include_deleted=true')).servers;
    const conditions = Object.entries(parameters).flatMap(([key, values]) => values.map((value) => ({ key, value })));
    const alone = new Map<string, string[]>();
    for (const { key, value } of conditions) alone.set(`${key}=${value}`, await crawl(`?limit=100&${key}=${value}`));
    const isOf = (entry: (typeof everything)[number], { key, value }: { key: string; value: string }) => {
      const { name, version } = entry.server;
      if (key === 'version') return value === 'latest' || version === value;
      const isNamed = key === 'search' && name.includes(value.toLowerCase());
      return isNamed || key === 'include_deleted' || alone.get(`${key}=${value}`)?.includes(name);
    };
    for (const one of conditions) {
      for (const other of conditions.filter(({ key }) => key > one.key)) {
        const pair = `${one.key}=${one.value}&${other.key}=${other.value}`;
        const hasDeleted = pair.includes('include_deleted=true') || pair.includes('updated_since');
        const wanted = everything.filter((entry) => {
          const { status } = entry._meta['io.modelcontextprotocol.registry/official'];
          return isOf(entry, one) && isOf(entry, other) && (hasDeleted || status !== 'deleted');
        });
        const names = wanted.map(({ server }) => server.name);
        expect([pair, (await crawl(`?limit=4&${pair}`)).toSorted()]).toEqual([pair, names.toSorted()]);
      }
    }
    expect(await crawl('?search=gone&include_deleted=true')).toEqual([gone.server]);
    // All matches by name first, then others that the search finds.
    const river = alone.get('search=river') as string[];
    const byName = all.map(({ server }) => server.name).filter((name) => name.includes('river'));
    expect(byName.length).toBe(2);
    expect(river.slice(0, 2)).toEqual(byName);
    expect(river.slice(2)).toContain(servers[3]!.server);
    expect(alone.get('search=_')).toEqual([]);
    expect(alone.get('search=example.registry/agents')?.[0]).toBe('example.registry/agents');
    expect(new Set(river).size).toBe(river.length);
  });

  test('A walk over the servers of a version compares few servers for a page, and misses none', async () => {
    const [, second] = (await list('?limit=3')).servers;
    const version = second!.server.version;
    const { db } = own.engine;
    const store = createServerStore(own.engine);
    const { servers } = await store.list({ limit: 100, version });
    const walked: typeof servers = [];
    let after: ServerPlace | undefined;
    do {
      const page = await listServers(db, { limit: 100, version, after }, undefined, 2);
      expect(page.servers.length).toBeLessThanOrEqual(2);
      walked.push(...page.servers);
      after = page.next;
    } while (after);
    expect(walked.length).toBeGreaterThan(0);
    expect(walked).toEqual(servers);
  });

  test('A name stays when the agent is renamed, and is not given again when it is erased', async () => {
    const { agent, server } = await register('Name');
    await served.agents.update(agent.id, { key: 'key' }, { name: 'Other' });
    expect((await ask(`/v0.1/servers/${server}/versions/latest`)).status).toBe(200);
    await createOperatorStore(own.engine).erase({ ids: new Set([agent.id]) });
    const rows = await own.engine.db.selectFrom('server_names').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(agent.id.slice(0, 8));
    // The same short form: the name and the first eight characters of the id.
    const again = `${agent.id.slice(0, 8)}${randomUUID().slice(8)}`;
    await served.agents.load([makeAgent({ id: again, name: 'Name', connections: [remote] })]);
    expect(await crawl('?limit=100')).toContain(`example.registry/name-${again.replaceAll('-', '')}`);
    expect(await crawl('?limit=100')).not.toContain(server);
  });

  describe('Names that owners choose', () => {
    const operator = () => createOperatorStore({ ...own.engine, serverNamespace: 'example.registry' });
    const ports = 'https://ports.example.com/about';
    const key = createManagementKey();
    const add = async (name: string, serverName?: string, website = ports) => {
      const given = makeNewAgent({ name, connections: [remote], website, serverName });
      const { agent } = await served.agents.register(given, { key });
      return { id: agent.id, formed: `example.registry/${name.toLowerCase()}-${agent.id.slice(0, 8)}` };
    };
    const prove = (id: string, proof: 'host' | 'page' = 'host', website = ports) =>
      served.agents.claim(id, { website, proof }, key);
    const edit = (id: string, fields: object) => served.agents.update(id, { key }, fields);
    const factsOf = async (id: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${served.url}/api/agents/${id}/facts`, { headers });
      return (await response.json()) as EntryFacts;
    };
    const nameOf = async (id: string) => (await factsOf(id)).server?.name;
    const refusalOf = async (id: string) => {
      expect((await factsOf(id)).server).not.toHaveProperty('refusal');
      return (await factsOf(id, { authorization: `Bearer ${key}` })).server?.refusal;
    };
    const isServed = async (name: string) => {
      const path = `/v0.1/servers/${encodeURIComponent(name)}/versions`;
      const statuses = [`${path}/latest`, path, `${path}/latest?include_deleted=true`].map(async (address) => {
        const { status, body } = await ask(address);
        const [entry] = status === 200 && address.includes('latest') ? [serverResponseSchema.parse(body)] : [];
        return entry?._meta['io.modelcontextprotocol.registry/official'].status ?? status;
      });
      return Promise.all(statuses);
    };
    const [active, deleted, unknown] = [
      ['active', 200, 'active'],
      [404, 404, 'deleted'],
      [404, 404, 404],
    ];

    test('are served while their host is the proved one of the entry, and deleted after that', async () => {
      const { id, formed } = await add('First', 'ports');
      const start = new Date(Date.now() - 1).toISOString();
      const name = 'com.example.ports/ports';
      expect([await nameOf(id), await isServed(name)]).toEqual([formed, unknown]);
      await prove(id, 'page');
      expect(await nameOf(id)).toBe(formed);
      expect(await refusalOf(id)).toContain('Prove that you control the host');
      await prove(id);
      expect([await nameOf(id), await isServed(formed), await refusalOf(id)]).toEqual([name, deleted, undefined]);
      // An edit within the host keeps the proof.
      await edit(id, { website: 'https://ports.example.com/other' });
      expect([await nameOf(id), await isServed(name.toUpperCase())]).toEqual([name, active]);
      await edit(id, { serverName: 'quays' });
      expect([await nameOf(id), await isServed(name)]).toEqual(['com.example.ports/quays', deleted]);
      await edit(id, { website: 'https://other.example.com/' });
      expect([await nameOf(id), await isServed('com.example.ports/quays')]).toEqual([formed, deleted]);
      await prove(id, 'host', 'https://other.example.com/');
      expect([await nameOf(id), await isServed(formed)]).toEqual(['com.example.other/quays', deleted]);
      const statuses = async () => {
        const changed = [];
        for (const limit of [1, 2, 100]) changed.push(await crawl(`?limit=${limit}&updated_since=${start}`));
        expect([changed[1], changed[2]]).toEqual([changed[0], changed[0]]);
        return changed[0]?.filter((one) => one.includes('/quays') || [name, formed].includes(one)).toSorted();
      };
      expect(await statuses()).toEqual(['com.example.other/quays', 'com.example.ports/quays', name, formed].toSorted());
      // An erased agent leaves none of its names.
      await operator().erase({ ids: new Set([id]) });
      expect(await statuses()).toEqual([]);
      expect(await isServed(name)).toEqual(unknown);
    });

    test.each(['the first gave it up', 'the first is withdrawn', 'the first is erased'])(
      'go to whoever proves the host later where %s, and before that the owner is told why not',
      async (reason) => {
        const [serverName, name] = [reason.replaceAll(' ', '-'), `com.example.ports/${reason.replaceAll(' ', '-')}`];
        const [first, second] = [await add('One', serverName), await add('Two', serverName)];
        await prove(first.id);
        await prove(second.id);
        expect([await nameOf(first.id), await nameOf(second.id)]).toEqual([name, second.formed]);
        expect(await refusalOf(second.id)).toBe(`Another entry has or had the name ${name}; an edit asks for it again`);
        if (reason.endsWith('up')) await edit(first.id, { website: null });
        else if (reason.endsWith('erased')) await operator().erase({ ids: new Set([first.id]) });
        else await served.agents.withdraw(first.id, { key });
        await edit(second.id, { description: 'Tells what the tide does' });
        expect([await nameOf(second.id), await isServed(name)]).toEqual([name, active]);
        if (!reason.endsWith('withdrawn')) return;
        await operator().restore({ ids: new Set([first.id]) });
        expect([await nameOf(first.id), await nameOf(second.id)]).toEqual([first.formed, name]);
      },
    );

    test.each([
      ['https://acme.github.io/', 'tides', 'is reserved'],
      ['https://registry.example/', 'agents', 'is reserved'],
      ['https://192.0.2.1/', 'tides', 'must have a name'],
      [`https://${`${'x'.repeat(60)}.`.repeat(3)}example.com/`, 'high-tides', 'more than 200 characters'],
    ])('below %s as %s are none: %s', async (website, serverName, refusal) => {
      const { id, formed } = await add('Odd', serverName, website);
      await prove(id, 'host', website);
      expect([await nameOf(id), await refusalOf(id)]).toEqual([formed, expect.stringContaining(refusal)]);
    });
  });

  test('Servers that were listed before there was a public address get their names later, sample data none', async () => {
    const sample: Connection = { ...remote, url: 'https://tides.example/mcp' };
    const plain = createAgentStore(own.engine);
    const { agent } = await plain.register(makeNewAgent({ name: 'Early', connections: [remote] }));
    await plain.register(makeNewAgent({ name: 'Sample', connections: [sample] }));
    const before = await crawl('?limit=100');
    await nameListedServers({ ...own.engine, serverNamespace: 'example.registry' });
    const after = await crawl('?limit=100');
    expect(after.length).toBe(before.length + 1);
    expect(after).toContain(`example.registry/early-${agent.id.slice(0, 8)}`);
  });
});

test('Without an https address there is no MCP registry', async () => {
  for (const address of [undefined, 'http://registry.example']) {
    const plain = await startTestApp({ PUBLIC_URL: address });
    const response = await fetch(`${plain.url}/v0.1/servers`);
    expect([response.status, await response.text()]).toEqual([
      404,
      'There is an MCP registry here only with an https PUBLIC_URL.',
    ]);
    await plain.close();
  }
});

test('In an outage of the database a look-up is answered from memory, and only that', async () => {
  let isOut = false;
  const own = await engines[0].open();
  const engine = { ...own.engine, serverNamespace: 'example.registry' };
  const store = createAgentStore(engine);
  const { agent } = await store.register(makeNewAgent({ name: 'Tides', connections: [remote] }));
  const db = engine.db.withPlugin({
    transformQuery({ node }) {
      if (isOut) throw new DatabaseUnavailableError('The database is away.', undefined);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const served = await startTestApp({ database: { engine: { ...engine, db } }, PUBLIC_URL: publicUrl, agents: store });
  const address = `${served.url}/v0.1/servers/example.registry%2Ftides-${agent.id.slice(0, 8)}/versions`;
  const before = await (await fetch(`${address}/latest`)).text();
  isOut = true;
  const known = await fetch(`${address}/latest`);
  expect([known.status, await known.text()]).toEqual([200, before]);
  expect(await (await fetch(address)).json()).toMatchObject({ servers: [JSON.parse(before)] });
  expect((await fetch(address.replace('tides', 'tide'))).status).toBe(503);
  // A server that was gone at its last look-up stays gone.
  isOut = false;
  await createOperatorStore(engine).hide({ ids: new Set([agent.id]) }, 'spam');
  expect((await fetch(`${address}/latest`)).status).toBe(404);
  isOut = true;
  expect((await fetch(`${address}/latest`)).status).toBe(503);
  expect((await fetch(address)).status).toBe(503);
  await served.close();
  await own.remove();
});

test('Look-ups, ping and health are not counted, pages of one server count a tenth, and lists of versions as lists', async () => {
  const limited = await startTestApp({ database, PUBLIC_URL: publicUrl, READ_LIMIT: 4, CACHE_SIZE: 0 });
  const get = async (path: string) => (await fetch(`${limited.url}/v0.1/${path}`)).status;
  const own = 'servers/example.registry%2Fagents/versions';
  for (let index = 0; index < 9; index += 1) {
    for (const end of ['latest', '9']) await get(`${own}/${end}`);
    await get(`servers/example.registry%2Fnone-${index}/versions/latest`);
    for (const path of ['ping', 'health', 'servers?limit=1']) expect(await get(path)).toBe(200);
  }
  const statuses: number[] = [];
  for (const path of [own, 'servers?limit=1&version=1.0.0', 'servers', own, 'servers?limit=1']) {
    statuses.push(await get(path));
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  await limited.close();
});
