import { constants, createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { text } from 'node:stream/consumers';
import {
  createManagementKey,
  toCanonicalJson,
  type Connection,
  type EntryFacts,
  type HistoryEntry,
  type Json,
  type ListedAgent,
  type Offer,
} from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { McpServer as FormerMcpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hashKey } from '../agents/find-owned.ts';
import { recordTables, type RegistryRecord } from '../db/record-kinds.ts';
import { toRegistry } from '../operator/listeners.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import { createRateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { startHttpsWebsite, type HttpsWebsite } from '../testing/https-website.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { serverListSchema } from '../testing/validate-servers.ts';
import { createWebhookStore } from '../webhook/webhook-store.ts';
import { createRobotsReader } from '../website-check/read-robots.ts';
import { createFileReader } from '../website-files/read-file.ts';
import { createCheckStore } from './check-store.ts';
import { createConnectionCheck } from './handshake.ts';
import { keepOffer } from './offers.ts';

const mcp: Connection = { kind: 'mcp', transport: 'streamable-http', url: 'https://website.example/mcp' };
const card: Connection = { kind: 'a2a', card: 'https://website.example/card.json' };
const address = 'mcp https://website.example/mcp';

let website: HttpsWebsite;
let asked: string[];
/** The results of methods by their names, and the files at paths. */
let results: (method: string, params: Json) => object | string | undefined;
let files: Record<string, string>;
/** A server of the official library, of version 2 or 1. */
let server: () => McpServer | FormerMcpServer;

beforeAll(async () => {
  website = await startHttpsWebsite(async (request, response) => {
    const { url = '' } = request;
    const body = await text(request);
    const {
      id,
      method = url,
      params = {},
    } = JSON.parse(body || '{}') as { id?: number; method?: string; params?: Json };
    asked.push(`${request.headers.host} ${method}`);
    if (url === '/sdk') {
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const answer = await answerBySdk(new Request('https://website.example/sdk', { method: 'POST', headers, body }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
      return;
    }
    if (url !== '/mcp') return void response.writeHead(url in files ? 200 : 404).end(files[url]);
    const result = results(method, params);
    const json = typeof result === 'string' ? result : JSON.stringify({ jsonrpc: '2.0', id, result });
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' }).end(json);
  });
});

beforeEach(() => {
  [asked, files] = [[], {}];
});

afterAll(() => website.close());

async function answerBySdk(asking: Request): Promise<Response> {
  const created = server();
  if (created instanceof McpServer) return createMcpHandler(() => created, { maxSubscriptions: 0 }).fetch(asking);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await created.connect(transport);
  return transport.handleRequest(asking);
}

function check(connection: Connection, host?: string) {
  const userAgent = 'AgentRegistry (test)';
  const readRobots = createRobotsReader(website.fetch, { userAgent, readFile: createFileReader() });
  return createConnectionCheck(website.fetch, { userAgent, readRobots })(connection, { host });
}

const about = {
  protocolVersion: '2025-11-25',
  serverInfo: { name: 'tides', version: '1.4.0' },
  capabilities: { prompts: {}, resources: {} },
};
const toTool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });

/** Answers as a server with tools. */
function offer(tools: unknown, more: Json = {}) {
  results = (method) =>
    method === 'initialize' ? about : method === 'tools/list' ? { tools } : (more[method] as object | undefined);
}

const hashOf = (value: unknown) => createHash('sha256').update(toCanonicalJson(value)).digest('hex');

describe('what is read of a server', () => {
  test('is its tools by name with their hashes, what it calls itself, and the numbers of prompts and resources', async () => {
    const invoice = {
      ...toTool('create_invoice', { title: 'Create invoice', description: `${'x'.repeat(199)} yz` }),
      annotations: { readOnlyHint: false, destructiveHint: true },
    };
    offer([invoice, toTool('areas')], { 'prompts/list': { prompts: [{}, {}] }, 'resources/list': { resources: [] } });
    const hashes = [hashOf(toTool('areas')), hashOf(invoice)] as const;
    expect(await check(mcp)).toMatchObject({
      result: 'answered',
      tools: 2,
      offer: {
        count: 2,
        hash: hashOf(hashes.toSorted()),
        tools: [
          { name: 'areas', hash: hashes[0] },
          {
            name: 'create_invoice',
            title: 'Create invoice',
            description: 'x'.repeat(199),
            isReadOnly: false,
            isDestructive: true,
            hash: hashes[1],
          },
        ],
        server: { name: 'tides', version: '1.4.0' },
        protocol: '2025-11-25',
        prompts: 2,
        resources: 0,
      },
    });
    expect(asked.length).toBeLessThanOrEqual(8);
  });

  test.each([
    ['2', McpServer],
    ['1', FormerMcpServer],
  ])(
    'of a server of version %s of the official library is the same with its tools in another order',
    async (_, Server) => {
      const names = ['list_tides', 'create_alarm', 'areas'];
      const create = (order: readonly string[]) => () => {
        const created = new Server({ name: 'tides', version: '1.0.0' });
        for (const name of order) {
          const inputSchema = z.object({ port: z.string(), 10: z.int(), 9: z.int() });
          const tool = { description: `Gives ${name}`, inputSchema };
          if (created instanceof McpServer) created.registerTool(name, tool, () => ({ content: [] }));
          else created.registerTool(name, tool, () => ({ content: [] }));
        }
        return created;
      };
      const read = async (order: readonly string[]) => {
        server = create(order);
        return (await check({ ...mcp, url: 'https://website.example/sdk' }))?.offer;
      };
      const found = await read(names);
      expect(found?.tools?.map(({ name }) => name)).toEqual(names.toSorted());
      expect(await read(names.toReversed())).toEqual(found);
      expect((await read(['areas', 'create_alarm']))?.hash).not.toBe(found?.hash);
    },
  );

  test('does not depend on the order of keys, also of those that are numbers', async () => {
    const read = async (properties: string) => {
      results = (method) =>
        method === 'tools/list'
          ? `{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"a","inputSchema":${properties}}]}}`
          : about;
      return (await check(mcp))?.offer?.hash;
    };
    expect(await read('{"10":1,"9":{"b":1,"a":2},"-":0}')).toBe(await read('{"9":{"a":2,"b":1},"-":0,"10":1}'));
    expect(toCanonicalJson({ 10: 1, 9: 2, '-': 1e21, undefined })).toBe('{"-":1e+21,"10":1,"9":2}');
  });

  const deep = `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`;
  test.each<[string, (method: string) => object | string, Partial<Offer> | undefined]>([
    [
      'thousands of tools',
      () => ({ tools: Array.from({ length: 5_000 }, (_, index) => toTool(`a${index}`)) }),
      { count: 1_000, isMore: true },
    ],
    ['a page of more than 256 KiB', () => ({ tools: [toTool('x'.repeat(300_000))] }), { count: 0, isMore: true }],
    ['pages without an end', () => ({ tools: [toTool('a')], nextCursor: 'more' }), { count: 4, isMore: true }],
    [
      'a deep schema',
      () => `{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"a","inputSchema":${deep}}]}}`,
      { count: 1 },
    ],
    ['no tools', () => ({ tools: [] }), { count: 0, hash: hashOf([]) }],
    ['tools that are no list', () => ({ tools: {} }), undefined],
    ['tools that are no objects', () => ({ tools: [null, 5, 'a', []] }), { count: 4 }],
  ])('is bounded for %s', async (_case, list, expected) => {
    results = (method) => (method === 'tools/list' ? list(method) : { ...about, capabilities: {} });
    const outcome = await check(mcp);
    expect(outcome?.result).toBe('answered');
    expect(outcome?.tools).toBe(expected?.isMore ? null : (expected?.count ?? null));
    if (!expected) return expect(outcome?.offer).toBeUndefined();
    expect(outcome?.offer).toMatchObject(expected);
    expect(outcome?.offer?.tools?.length).toBeLessThanOrEqual(100);
    if (expected.isMore) expect(outcome?.offer).not.toHaveProperty('hash');
    expect(asked.length).toBeLessThanOrEqual(8);
  });

  test('has texts of strangers as they are, but for what people cannot see', async () => {
    const names = ['<img src=x onerror=alert(1)>', '[a](javascript:b)', 'a\u202Eb\u0000\u200Bc\nd', '\u202E', ''];
    offer(names.map((name) => toTool(name)));
    const read = (await check(mcp))?.offer?.tools?.map(({ name }) => name);
    expect(new Set(read)).toEqual(new Set([names[0], names[1], 'ab\u200Bc d', '?']));
  });
});

const skill = { id: 'a', name: 'Translate', description: 'Translates.', tags: ['text'] };
const base = {
  name: 'Otter',
  description: 'Swims.',
  version: '1.0.0',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [skill],
};
const current = {
  ...base,
  supportedInterfaces: [{ url: 'https://website.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
};

describe('what is read of an agent card', () => {
  const former = { ...base, url: 'https://website.example/a2a' };
  test.each<[Json, string[], string[] | undefined]>([
    [current, ['JSONRPC 1.0'], undefined],
    [{ ...former, protocolVersion: '0.3.0', preferredTransport: 'GRPC' }, ['GRPC 0.3.0'], undefined],
    [former, ['JSONRPC 0.2'], undefined],
    [{ ...former, protocolVersion: '0.3.0', url: 5 }, ['JSONRPC 0.3.0'], ['A2A 0.3: url must be a text']],
    [
      { ...current, skills: [skill, { id: 'b', name: 'B', description: 'B.', tags: 'b' }] },
      ['JSONRPC 1.0'],
      ['A2A 1.0: skills[1].tags must be a list of texts'],
    ],
    [
      { name: 'Otter', supportedInterfaces: [{ url: 'x' }], skills: {} },
      ['JSONRPC'].slice(1),
      [
        'A2A 1.0: description must be a text',
        'A2A 1.0: version must be a text',
        'A2A 1.0: capabilities must be an object',
        'A2A 1.0: defaultInputModes must be a list of texts',
        'A2A 1.0: defaultOutputModes must be a list of texts',
        'A2A 1.0: skills must be a list',
        'A2A 1.0: supportedInterfaces[0].protocolBinding must be a text',
        'A2A 1.0: supportedInterfaces[0].protocolVersion must be a text',
      ],
    ],
  ])('has its bindings, skills and deviations: %#', async (given, bindings, deviations) => {
    files['/card.json'] = JSON.stringify(given);
    const found = (await check(card))?.offer?.card;
    expect(found?.bindings).toEqual(bindings);
    expect(found?.deviations).toEqual(deviations);
    expect(found).not.toHaveProperty('signature');
  });

  test('of 10 MB is nothing', async () => {
    files['/card.json'] = JSON.stringify({ ...current, description: 'x'.repeat(10_000_000) });
    expect(await check(card)).toMatchObject({ result: 'other', reason: 'it is larger than 256 KiB' });
  });

  const pairs = {
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    EdDSA: generateKeyPairSync('ed25519'),
    RS256: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  };
  const rsa = pairs.RS256;
  const signers: Record<string, (data: Buffer, key: KeyObject) => Buffer> = {
    ES256: (data, key) => sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
    ES384: (data, key) => sign('sha384', data, { key, dsaEncoding: 'ieee-p1363' }),
    EdDSA: (data, key) => sign(null, data, key),
    RS256: (data, key) => sign('sha256', data, key),
    PS256: (data, key) => sign('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
  };
  const encode = (value: string) => Buffer.from(value).toString('base64url');

  function signCard(
    alg: string,
    header: Json = {},
    key = ({ ...pairs, PS256: rsa } as Record<string, typeof rsa>)[alg],
  ) {
    const given = { alg, kid: alg, jku: 'https://website.example/keys.json', ...header };
    const head = encode(JSON.stringify(given));
    const data = Buffer.from(`${head}.${encode(toCanonicalJson(current))}`);
    const value = key && signers[alg] ? signers[alg](data, key.privateKey) : Buffer.alloc(64);
    return { ...current, signatures: [{ protected: head, signature: value.toString('base64url') }] };
  }

  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  test.each<[string, Json, string?]>([
    ...Object.keys(signers).map((alg): [string, Json] => [`${alg} of the proved host`, signCard(alg)]),
    ["a stranger's key", signCard('ES256', {}, stranger), 'not verified'],
    ['keys elsewhere', signCard('ES256', { jku: 'https://other.example/keys.json' }), 'not verified'],
    ['keys on a subdomain', signCard('ES256', { jku: 'https://a.website.example/keys.json' }), 'not verified'],
    ['keys without https', signCard('ES256', { jku: 'http://website.example/keys.json' }), 'not verified'],
    ['a key of another kind', signCard('ES256', { kid: 'EdDSA' }), 'not verified'],
    ['an unknown key', signCard('ES256', { kid: 'x' }), 'not verified'],
    ['a changed card', { ...signCard('ES256'), description: 'Sinks.' }, 'not verified'],
    ['an extension', signCard('ES256', { crit: ['b64'], b64: false }), 'not verified'],
    ['none', signCard('none'), 'not verified'],
    ['HS256', signCard('HS256'), 'not verified'],
    ['no header', { ...current, signatures: [5, { protected: '%', signature: 'x' }] }, 'not verified'],
  ])('is signed by its host only with its key: %s', async (_case, signed, signature = 'verified') => {
    files['/card.json'] = JSON.stringify(signed);
    const keys = { ...pairs, PS256: rsa };
    files['/keys.json'] = JSON.stringify({
      keys: Object.entries(keys).map(([kid, { publicKey }]) => ({ ...publicKey.export({ format: 'jwk' }), kid })),
    });
    expect((await check(card, 'website.example'))?.offer?.card).toMatchObject({
      signature,
      ...(signature === 'verified' && { signedBy: 'website.example' }),
    });
    expect(asked.filter((one) => !one.startsWith('website.example '))).toEqual([]);
    expect((await check(card))?.offer?.card?.signature).toBe('not verified');
  });
});

const NAMES = ['create_invoice', 'zylophone'];
const toOffer = (...tools: [name: string, definition: string][]): Offer => ({
  count: tools.length,
  hash: hashOf(tools),
  tools: tools.map(([name, definition]) => ({ name, hash: hashOf([name, definition]) })),
  server: { name: 'tides', version: '1.0.0' },
});
const [first, second] = [
  toOffer(['create_invoice', '1'], ['zylophone', '1']),
  toOffer(['create_invoice', '2'], ['pay', '1']),
];

describe.each(engines)('what is kept of it on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let operator: OperatorStore;
  let at = 0;

  beforeAll(async () => {
    database = await open();
    return () => database.remove();
  });

  beforeEach(async () => {
    await database.empty();
    const engine = { ...database.engine, serverNamespace: 'example.registry' };
    const connectionChecks = {
      store: createCheckStore(toRegistry(engine)),
      check: async () => undefined,
      rateLimitStore: createRateLimitStore(engine),
    };
    app = await startTestApp({
      database: { engine },
      withSite: true,
      CACHE_SIZE: 0,
      PUBLIC_URL: 'https://registry.example',
      connectionChecks,
    });
    operator = createOperatorStore(engine);
    return () => app.close();
  });

  const own = makeAgent({
    name: 'Otter',
    website: 'https://website.example/',
    websiteCheckedAt: '2026-11-01T00:00:00.000Z',
    websiteProof: 'host',
    connections: [mcp],
  });
  const selected = { ids: new Set([own.id]) };
  const keep = async (found: Offer, isHeld = false) => {
    at += 1;
    const time = new Date(Date.UTC(2026, 10, 20) + at * 86_400_000).toISOString();
    await keepOffer(toRegistry(database.engine), { agentId: own.id, address }, found, { at: time, isHeld });
    return time;
  };
  const read = async <Value>(path: string) => (await (await fetch(app.url + path)).json()) as Value;
  const readAgent = () => read<ListedAgent>(`/api/agents/${own.id}`);
  const readOffer = async () => (await read<EntryFacts>(`/api/agents/${own.id}/facts`)).offers?.[0];
  const readChanges = async () =>
    (await read<HistoryEntry[]>(`/api/agents/${own.id}/history`)).flatMap(({ tools, actor }) =>
      tools ? [{ ...tools, actor }] : [],
    );
  const find = async (q: string) =>
    (await read<ListedAgent[]>(`/api/search?q=${encodeURIComponent(q)}`)).map(({ id }) => id);

  test('is the number in lists, and an equal one changes no version', async () => {
    await operator.add([own]);
    await keep(first);
    expect((await readAgent()).connections).toEqual([{ ...mcp, tools: 2 }]);
    const version = await database.engine.version();
    const time = await keep(first);
    expect(await database.engine.version()).toBe(version);
    expect(await readOffer()).toEqual({ address, readAt: time, ...first });
    expect(await readChanges()).toEqual([]);
  });

  test('is in the log with what changed, in feeds, and an event', async () => {
    await createWebhookStore(database.engine.db).setConfigured(true);
    const other = makeAgent();
    await operator.add([own, other]);
    const { next } = await read<{ next: string }>('/api/changes');
    await keep(first);
    await keep(second);
    const change = {
      connection: address,
      hash: second.hash,
      added: ['pay'],
      removed: ['zylophone'],
      changed: ['create_invoice'],
    };
    expect(await readChanges()).toEqual([{ ...change, actor: 'check' }]);
    expect(await readOffer()).toMatchObject({ ...second, changed: change });
    expect(await read(`/api/changes?after=${next}`)).toMatchObject({ changes: [{ id: own.id, change: 'tools' }] });
    const feed = async (query: string) =>
      (await read<{ title: string; items: { id: string }[] }>(`/feed.json${query}`)).items.map(({ id }) => id);
    expect(await feed('?changed=tools')).toEqual([`urn:uuid:${own.id}`]);
    expect(await feed('?changed=tools&q=otter')).toEqual([`urn:uuid:${own.id}`]);
    expect(await feed(`?changed=tools&category=${own.category === 'vision' ? 'chatbot' : 'vision'}`)).toEqual([]);
    expect(await feed('')).toHaveLength(2);
    expect((await fetch(`${app.url}/feed.xml?changed=name`)).status).toBe(400);
    const events = await database.engine.db.selectFrom('operator_events').select('type').execute();
    expect(events.map(({ type }) => type)).toContain('agent.tools');
  });

  test('says nothing of tools beyond those that are kept', async () => {
    await operator.add([own]);
    const names = Array.from({ length: 120 }, (_, index) => `a${1_000 + index}`);
    const keepAll = (all: readonly string[]) => {
      const { tools = [], ...whole } = toOffer(...all.map((name): [string, string] => [name, '1']));
      return keep({ ...whole, tools: tools.slice(0, 100) });
    };
    await keepAll(names);
    await keepAll(['a0', ...names]);
    expect(await readChanges()).toMatchObject([{ added: ['a0'], removed: [], changed: [] }]);
    await keepAll(names);
    await keepAll(names);
    await keepAll([...names, 'a9']);
    expect((await readChanges())[0]).toMatchObject({ added: [], removed: [], changed: [] });
  });

  test('that changes with every answer is said once, until two are equal', async () => {
    await operator.add([own]);
    for (const definition of ['1', '2', '3', '4', '5', '6']) await keep(toOffer(['a', definition]));
    expect((await readChanges()).map(({ isRestless }) => isRestless)).toEqual([true, undefined, undefined]);
    await keep(toOffer(['a', '6']));
    await keep(toOffer(['a', '7']));
    for (let times = 0; times < 3; times += 1) await keep(toOffer(['a', '7']));
    expect(await readChanges()).toHaveLength(3);
    await keep(toOffer(['a', '8']));
    expect((await readChanges())[0]).toMatchObject({ changed: ['a'] });
  });

  test('is no part of what its owner writes', async () => {
    await operator.add([own]);
    const { connectionsHash } = await read<EntryFacts>(`/api/agents/${own.id}/facts`);
    await keep(first);
    expect(await read<EntryFacts>(`/api/agents/${own.id}/facts`)).toMatchObject({ connectionsHash });
    const before = await read<HistoryEntry[]>(`/api/agents/${own.id}/history`);
    await operator.edit(selected, { connections: [{ ...mcp, tools: 9 }] });
    expect((await readAgent()).connections).toEqual([{ ...mcp, tools: 2 }]);
    expect((await read<HistoryEntry[]>(`/api/agents/${own.id}/history`)).map(({ fields }) => fields)).toEqual([
      ...[[]].slice(before.length - 1),
      ...before.map(({ fields }) => fields),
    ]);
    await operator.edit(selected, { connections: [{ ...mcp, url: 'https://website.example/other' }, mcp] });
    expect((await readAgent()).connections?.map((one) => 'tools' in one)).toEqual([false, true]);
  });

  test('is found by the words of tools, below agents that have them in their own texts', async () => {
    const texts = makeAgent({ description: 'A text with a zylophone in it, among many others that say little.' });
    await operator.add([own, texts]);
    await keep(first);
    expect(await find('zylophone')).toEqual([texts.id, own.id]);
    expect(await find('create_invoice')).toEqual([own.id]);
    expect(await find('create invoice')).toEqual([own.id]);
    await operator.edit(selected, { description: 'Changed.' });
    expect(await find('create_invoice')).toEqual([own.id]);
    await keep(second);
    expect(await find('zylophone')).toEqual([texts.id]);
  });

  test('gives a flood of one owner no more of the first ten than texts would', async () => {
    const make = (host: string, index: number) =>
      makeAgent({
        description: `Agent ${'a'.repeat(index + 1)} of ${host}.`,
        website: `https://${host}.test/`,
        connections: [mcp],
      });
    const flood = Array.from({ length: 30 }, (_, index) => make('flood', index));
    const others = Array.from({ length: 12 }, (_, index) => make(`a${index}`, index));
    await operator.add([...flood, ...others]);
    for (const { id: agentId } of [...others, ...flood])
      await keepOffer(toRegistry(database.engine), { agentId, address }, first, {
        at: '2026-11-20T10:00:00.000Z',
        isHeld: false,
      });
    const found = await find('zylophone');
    expect(found.length).toBeGreaterThan(10);
    expect(found.slice(0, 10).filter((id) => flood.some((one) => one.id === id))).toHaveLength(2);
  });

  test('goes with an agent that is hidden, comes back with it, and is gone after an erasure', async () => {
    await operator.add([own]);
    await keep(first);
    await keep(second);
    await operator.hide(selected, 'spam');
    expect(await find('create_invoice')).toEqual([]);
    expect((await fetch(`${app.url}/api/agents/${own.id}/facts`)).ok).toBe(false);
    await operator.unhide(selected);
    expect(await readOffer()).toMatchObject({ ...second, changed: { added: ['pay'] } });
    expect(await find('create_invoice')).toEqual([own.id]);
    await operator.hide(selected, 'spam');
    await operator.unhide(selected);
    await operator.edit(selected, { connections: [{ ...mcp, url: 'https://website.example/other' }] });
    await createCheckStore(toRegistry(database.engine)).sync();
    expect(await readOffer()).toBeUndefined();
    expect(await find('create_invoice')).toEqual([]);
    await operator.edit(selected, { connections: [mcp] });
    await keep(second);
    await operator.erase(selected);
    const rows = await Promise.all(
      recordTables.map((table) =>
        database.engine.db
          .selectFrom(table as 'agents')
          .selectAll()
          .execute(),
      ),
    );
    for (const name of [...NAMES, 'pay"', 'tides']) expect(JSON.stringify(rows)).not.toContain(name);
  });

  test('is in a backup, and a restore finds it by its tools', async () => {
    await operator.add([own]);
    await keep(first);
    await keep(second);
    const records: RegistryRecord[] = [];
    for await (const record of operator.read()) records.push(record);
    const facts = await readOffer();
    await database.empty();
    await operator.replace(
      (async function* iterate() {
        yield* records;
      })(),
    );
    expect(await readOffer()).toEqual(facts);
    expect((await readAgent()).connections).toEqual([{ ...mcp, tools: 2 }]);
    expect(await find('create_invoice')).toEqual([own.id]);
  });

  test('waits for review where registrations do, apart from an edit; number and hash are shown', async () => {
    await operator.add([own]);
    await keep(first, true);
    const { count, hash } = first;
    const readWaiting = async () => {
      const found = [];
      for await (const item of operator.streamReviewed('held')) found.push(item);
      return found;
    };
    expect(await readOffer()).toEqual({ address, readAt: expect.any(String) as string, count, hash });
    expect((await readAgent()).connections).toEqual([{ ...mcp, tools: 2 }]);
    expect(await find('create_invoice')).toEqual([]);
    const [waiting] = await readWaiting();
    expect(waiting).toMatchObject({ kind: 'read', agent: { id: own.id }, texts: [...NAMES, 'tides'] });
    expect(await operator.countProposed()).toBe(1);
    const key = createManagementKey();
    await operator.setKeyHash(own.id, hashKey(key));
    await app.agents.update(own.id, { key }, { name: 'Renamed' }, { except: new Set() });
    const kinds = async () => (await readWaiting()).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['edit', 'read']);
    await keep(second, true);
    expect(await readChanges()).toMatchObject([{ hash: second.hash, added: [], removed: [], changed: [] }]);
    await expect(operator.release({ ...selected, seen: new Map([[own.id, waiting!.seen]]) })).rejects.toThrow(
      'no longer',
    );
    const seen = new Map((await readWaiting()).map((item) => [item.agent.id, item.seen]));
    await operator.release({ ...selected, seen });
    expect(await kinds()).toEqual(['edit']);
    expect((await readAgent()).name).toBe('Otter');
    expect(await readOffer()).toMatchObject(second);
    expect(await find('create_invoice')).toEqual([own.id]);
    await operator.hold(selected);
    expect(await kinds()).toEqual(['edit', 'read']);
    await operator.refuse(selected, 'spam');
    await keep(second, true);
    expect(await readWaiting()).toEqual([]);
    expect(await readOffer()).not.toHaveProperty('tools');
    await keep(first, true);
    expect(await kinds()).toEqual(['read']);
  });

  test('is a fact in the lists that programs read', async () => {
    const npm: Connection = { kind: 'mcp-package', registry: 'npm', identifier: 'tides', version: '1.0.0' };
    await operator.add([{ ...own, connections: [mcp, npm] }]);
    const time = await keep(first);
    const facts = {
      proof: 'host',
      provedAt: own.websiteCheckedAt,
      answeredOn: time.slice(0, 10),
      tools: { count: 2, hash: first.hash },
    };
    const { servers } = serverListSchema.parse(await read('/v0.1/servers'));
    expect(servers.flatMap(({ _meta }) => _meta['example.registry/facts'] ?? [])).toEqual([facts]);
    const { entries } = await read<{ entries: { extensions?: Json }[] }>('/ard/catalog');
    expect(entries.flatMap(({ extensions }) => extensions ?? [])).toEqual([{ 'example.registry.facts': facts }]);
  });
});
