import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { createManagementKey, type Connection, type EntryFacts } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { hashKey } from '../agents/find-owned.ts';
import { toAskedSite } from '../hosts.ts';
import { toRegistry } from '../operator/listeners.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { createRateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { startHttpsWebsite, type HttpsWebsite } from '../testing/https-website.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { createRobotsReader } from '../website-check/read-robots.ts';
import { createFileReader } from '../website-files/read-file.ts';
import { createCheckStore } from './check-store.ts';
import { checkConnections, checkDueConnections } from './connection-checks.ts';
import { createConnectionCheck } from './handshake.ts';

const mcp: Connection = { kind: 'mcp', transport: 'streamable-http', url: 'https://website.example/mcp' };
const sse: Connection = { kind: 'mcp', transport: 'sse', url: 'https://website.example/sse' };
const card = { kind: 'a2a', card: 'https://website.example/card.json' } as const;
const readFile = createFileReader();
const userAgent = 'AgentRegistry (test)';

type Received = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { message: { method?: string; id?: number } };

let website: HttpsWebsite;
let mcpServer: TestApp;
let received: Received[];
let answer: (request: Received, response: ServerResponse) => void;

beforeAll(async () => {
  mcpServer = await startTestApp({ PUBLIC_URL: 'https://website.example' });
  website = await startHttpsWebsite(async (request, response) => {
    // The body is left to the MCP server.
    const isOfServer = request.url === '/real/mcp';
    const body = isOfServer ? '' : await text(request);
    const { method, url, headers } = request;
    const got = { method, url, headers, message: JSON.parse(body || '{}') as Received['message'] };
    received.push(got);
    if (isOfServer) {
      request.url = '/mcp';
      mcpServer.app.server.emit('request', request, response);
    } else answer(got, response);
  });
});

beforeEach(() => {
  received = [];
  answer = (_request, response) => response.writeHead(404).end();
});

afterAll(async () => {
  website.close();
  await mcpServer.close();
});

function createCheck(timeout?: number) {
  const readRobots = createRobotsReader(website.fetch, { userAgent, readFile });
  return createConnectionCheck(website.fetch, { userAgent, readRobots, ...(timeout !== undefined && { timeout }) });
}

const reply = (response: ServerResponse, status: number, body = '', headers: Record<string, string> = {}) =>
  void response.writeHead(status, headers).end(body);
const JSON_TYPE = { 'content-type': 'application/json' };
const rpc = (id: number | undefined, result: object) => JSON.stringify({ jsonrpc: '2.0', id, result });

/** Answers as an MCP server of 2025 with sessions, by JSON or streams that stay open. */
function answerWithSessions({ isStream = false } = {}) {
  answer = ({ url, message: { method, id } }, response) => {
    if (url === '/robots.txt') return reply(response, 404);
    if (url === '/card.json') return reply(response, 200, '{"name":"Otter","skills":[]}');
    if (method === 'notifications/initialized') return reply(response, 202);
    const result =
      method === 'initialize' ? { protocolVersion: '2025-06-18' } : { tools: [{ name: 'a' }, { name: 'b' }] };
    if (!isStream) return reply(response, 200, rpc(id, result), { ...JSON_TYPE, 'mcp-session-id': 'session' });
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(`event: message\ndata: ${rpc(id, result)}\n\n`);
  };
}

describe('a handshake', () => {
  test('of our own MCP server counts its tools, with the official library on its side', async () => {
    const outcome = await createCheck()({ ...mcp, url: 'https://website.example/real/mcp' });
    expect(outcome).toMatchObject({ result: 'answered', tools: 3, reason: '' });
  });

  test.each([false, true])('begins a session, and calls no tool; streams that stay open: %s', async (isStream) => {
    answerWithSessions({ isStream });
    expect(await createCheck()(mcp)).toMatchObject({ result: 'answered', tools: 2 });
    expect(received.map(({ message, url }) => message.method ?? url)).toEqual([
      '/robots.txt',
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    const [, , , list] = received;
    expect(list?.headers).toMatchObject({ 'mcp-protocol-version': '2025-06-18', 'user-agent': userAgent });
    expect(list?.headers['mcp-session-id']).toBe(isStream ? undefined : 'session');
    for (const { headers } of received) expect(headers).not.toHaveProperty('authorization');
  });

  test('of a server without sessions asks it in its version', async () => {
    answer = ({ url, message: { method, id } }, response) => {
      if (url === '/robots.txt') return reply(response, 404);
      if (method === 'initialize') return reply(response, 400, '{"jsonrpc":"2.0","error":{"code":-32022}}', JSON_TYPE);
      return reply(
        response,
        200,
        rpc(id, method === 'tools/list' ? { tools: [{}] } : { supportedVersions: [] }),
        JSON_TYPE,
      );
    };
    expect(await createCheck()(mcp)).toMatchObject({ result: 'answered', tools: 1 });
    expect(received.length).toBe(4);
    expect(received.at(-1)?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    });
  });

  const json = { 'content-type': 'application/json' };
  const html = { 'content-type': 'text/html' };
  test.each<[number, string, Record<string, string>, object | undefined]>([
    [401, '', {}, { result: 'sign-in', reason: '' }],
    [401, '', { ...html, 'www-authenticate': 'Bearer' }, { result: 'sign-in' }],
    [403, '', { 'www-authenticate': 'Bearer' }, { result: 'sign-in' }],
    [403, '{}', json, { result: 'sign-in' }],
    // Refusals of what stands before the server.
    [401, '<html>', html, undefined],
    [403, '<html>', html, undefined],
    [403, 'error code: 1010', {}, undefined],
    [403, '{}', { ...json, 'cf-mitigated': 'challenge' }, undefined],
    [503, '', { 'cf-mitigated': 'challenge' }, undefined],
    [407, '', {}, undefined],
    [429, '', {}, undefined],
    [404, '', {}, { result: 'other', reason: 'status 404', status: 404 }],
    [302, '', {}, { result: 'other', reason: 'status 302' }],
    [308, '', { location: 'https://other.example/' }, { result: 'other', reason: 'status 308' }],
    [307, '', { location: '/forbidden' }, { result: 'other', reason: 'status 307' }],
    [503, '', {}, { result: 'other', retryAfter: 120_000 }],
    [200, '<html>', {}, { result: 'other', reason: 'it did not answer with a message of MCP' }],
    [200, '{"jsonrpc":"2.0","id":1,"result":null}', {}, { result: 'other' }],
    [200, '{"jsonrpc":"2.0","id":1,"result":{}}', {}, { result: 'other' }],
    [200, '{"jsonrpc":"2.0","id":9,"result":{"protocolVersion":"2025-06-18"}}', {}, { result: 'other' }],
    [200, '[]', json, { result: 'other' }],
  ])('with the status %i, %j and %j', async (status, body, headers, outcome) => {
    answer = ({ url }, response) =>
      url === '/robots.txt'
        ? reply(response, 200, 'User-agent: *\nDisallow: /forbidden')
        : reply(response, status, body, { location: 'https://other.example/', 'retry-after': '120', ...headers });
    const found = await createCheck()(mcp);
    if (outcome) expect(found).toMatchObject({ tools: null, ...outcome });
    else expect(found).toBeUndefined();
    expect(new Set(received.map(({ headers }) => headers.host))).toEqual(new Set(['website.example']));
    expect(received.map(({ url }) => url)).not.toContain('/forbidden');
  });

  test.each([307, 308])('follows %i within the host once, and tells the owner', async (status) => {
    answerWithSessions();
    const { answer: respond } = { answer };
    answer = (request, response) =>
      request.url === '/mcp' ? reply(response, status, '', { location: '/mcp/' }) : respond(request, response);
    const reason = 'it redirects to https://website.example/mcp/';
    expect(await createCheck()(mcp)).toMatchObject({ result: 'answered', tools: 2, reason });
    expect(received.filter(({ url }) => url === '/mcp').length).toBe(1);
    answer = ({ url }, response) =>
      url === '/robots.txt' ? reply(response, 404) : reply(response, status, '', { location: `${url}x` });
    expect(await createCheck()(mcp)).toMatchObject({
      result: 'other',
      reason: `status ${status}, ${reason.slice(0, -1)}x`,
    });
  });

  test.each<[string, string]>([
    ['data of several lines', 'data: {"jsonrpc":"2.0",\ndata: "id":ID,"result":RESULT}\n\n'],
    ['without a blank after the colon', 'data:ANSWER\n\n'],
    ['CR', 'event: message\rdata: ANSWER\r\rx'],
    [
      'CRLF, a byte order mark, comments and other fields',
      '\uFEFF: hello\r\nid: 7\r\nretry: 5\r\ndata: ANSWER\r\n\r\n',
    ],
    [
      'after notifications and requests of the server',
      'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\ndata: {"jsonrpc":"2.0","id":"a","method":"ping"}\n\ndata: ANSWER\n\n',
    ],
    ['after events without data, and with an empty one', 'event: message\n\ndata\n\ndata: ANSWER\n\n'],
  ])('reads events as browsers do: %s', async (_name, events) => {
    answer = ({ url, message: { method, id } }, response) => {
      if (url === '/robots.txt') return reply(response, 404);
      if (id === undefined) return reply(response, 202);
      const result = method === 'initialize' ? { protocolVersion: '2025-06-18' } : { tools: [{}, {}, {}] };
      const text = events.replace('ANSWER', rpc(id, result)).replace('ID', String(id));
      // The stream stays open.
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(text.replace('RESULT', JSON.stringify(result)));
    };
    expect(await createCheck()(mcp)).toMatchObject({ result: 'answered', tools: 3 });
  });

  const skill = (format: 'md' | 'zip' | 'gzip'): Connection => ({ kind: 'skill', url: card.card, format });
  const openapi: Connection = { kind: 'openapi', url: card.card };
  const zip = Buffer.from('PK\u0003\u0004\u0014\u0000');
  test.each<[Connection, string | Buffer, string | undefined]>([
    [sse, 'event: endpoint\ndata: /messages\n\n', undefined],
    [sse, 'event: message\ndata: /messages\n\n', 'it is no stream of MCP'],
    [sse, '<html>', 'it is no stream of MCP'],
    [sse, 'event: endpoint\ndata: /messages\n', 'it is no stream of MCP'],
    [card, '\uFEFF{"name":"Otter","skills":[],"url":"https://website.example/"}', undefined],
    [card, '{"name":"Otter","supportedInterfaces":[{"url":"https://website.example/"}]}', undefined],
    [card, '{"openapi":"3.1.0"}', 'it is no agent card'],
    [card, '<html>', 'it is no agent card'],
    [openapi, '{ "openapi": "3.1.0", "info": {', undefined],
    [openapi, '# ours\nswagger: "2.0"\n', undefined],
    [openapi, '<html>"openapi": "3.1.0"', 'it is no OpenAPI description'],
    [openapi, '{"name":"Otter"}', 'it is no OpenAPI description'],
    [skill('md'), '---\r\nname: otter\r\ndescription: Swims\r\n---\r\n# Otter', undefined],
    [skill('md'), '# Otter\n---\nname: otter\ndescription: Swims\n---', 'it is no skill'],
    [skill('md'), '---\nname: otter\n---', 'it is no skill'],
    [skill('zip'), zip, undefined],
    [skill('zip'), '<html>', 'it is no archive'],
    [skill('gzip'), gzipSync('x'), undefined],
    [skill('gzip'), zip, 'it is no archive'],
  ])('of %j with %j is one request, and counts only as what it must be', async (connection, body, reason = '') => {
    const isStream = connection === sse && body !== '<html>';
    const headers = { 'content-type': isStream ? 'text/event-stream' : 'text/plain' };
    answer = ({ url }, response) =>
      url === '/robots.txt' ? reply(response, 404) : void response.writeHead(200, headers).end(body);
    const result = reason === '' ? 'answered' : 'other';
    expect(await createCheck()(connection)).toMatchObject({ result, tools: null, reason });
    expect(received.filter(({ url }) => url !== '/robots.txt').map(({ method }) => method)).toEqual(['GET']);
  });

  test('reads 64 KiB of an answer, and 256 KiB of a list of tools', async () => {
    const tools = Array.from({ length: 100 }, () => ({ name: 'x'.repeat(2_000) }));
    let padding = '';
    answer = ({ url, message: { method, id } }, response) => {
      if (url === '/robots.txt') return reply(response, 404);
      reply(response, 200, rpc(id, method === 'initialize' ? { protocolVersion: '2025-06-18', padding } : { tools }));
    };
    expect(await createCheck()(mcp)).toMatchObject({ result: 'answered', tools: 100 });
    padding = 'x'.repeat(65_536);
    expect(await createCheck()(mcp)).toMatchObject({ result: 'other' });
  });

  test('that robots.txt forbids is none', async () => {
    answer = (_request, response) => reply(response, 200, 'User-agent: *\nDisallow: /mcp');
    expect(await createCheck()(mcp)).toBeUndefined();
    expect(received.map(({ url }) => url)).toEqual(['/robots.txt']);
  });

  test('of a silent server ends in time, and of an endless answer, too', async () => {
    answer = ({ url }, response) => void (url === '/robots.txt' && reply(response, 404));
    expect(await createCheck(100)(mcp)).toMatchObject({ result: 'silent', reason: 'no answer within 0.1 seconds' });
    answer = ({ url }, response) => {
      if (url === '/robots.txt') return reply(response, 404);
      response.writeHead(200, JSON_TYPE);
      const write = () => response.write('x\n'.repeat(8_192), (error) => !error && write());
      write();
    };
    expect(await createCheck()(mcp)).toMatchObject({ result: 'other' });
  });
});

describe.each(engines)('checks on $name', ({ open }) => {
  let database: TestDatabase;
  let clock: number;

  beforeAll(async () => {
    database = await open();
    return () => database.remove();
  });

  beforeEach(async () => {
    await database.empty();
    clock = Date.parse('2026-11-24T12:00:00.000Z');
  });

  const createStore = () => createCheckStore(toRegistry(database.engine), () => clock);
  const proved = { website: 'https://website.example/', websiteCheckedAt: '2026-11-01T00:00:00.000Z' } as const;

  test('are only for proved hosts with their subdomains, proved accounts and repositories, and followed sources', async () => {
    const agents = createAgentStore(database.engine);
    const api: Connection = { ...mcp, url: 'https://api.website.example/mcp' };
    const other: Connection = { ...mcp, url: 'https://evil-website.example/mcp' };
    const repository: Connection = { kind: 'skill', url: 'https://github.com/someone/x/skill.md', format: 'md' };
    const foreign: Connection = { kind: 'skill', url: 'https://github.com/another/x/skill.md', format: 'md' };
    const host = makeAgent({ ...proved, websiteProof: 'host', connections: [mcp, api, other] });
    const page = makeAgent({
      ...proved,
      website: 'https://github.com/someone/x',
      websiteProof: 'page',
      connections: [repository, foreign],
    });
    const inRepository = ['Someone/x', 'someone/y'].map((path) => ({
      ...repository,
      url: `https://raw.githubusercontent.com/${path}/HEAD/skill.md`,
    }));
    const owned = makeAgent({
      ...proved,
      website: 'https://github.com/someone/x',
      websiteProof: 'repository',
      connections: [repository, ...inRepository, mcp],
    });
    const plain = makeAgent({ website: 'https://website.example/', connections: [mcp] });
    const imported = makeAgent({ connections: [other] });
    await agents.load([host, page, owned, plain, imported]);
    await database.engine.db
      .insertInto('agent_sources')
      .values({
        source: 'mcp',
        entry_key: 'x',
        agent_id: imported.id,
        is_origin: 1,
        attribution: 'x',
        licence: 'x',
        imported_at: '2026-11-01T00:00:00.000Z',
        gone_at: null,
      })
      .execute();
    const store = createStore();
    await store.sync();
    const readAll = async () => {
      const rows = await database.engine.db.selectFrom('connection_checks').select(['agent_id', 'address']).execute();
      return rows.map((row) => `${row.agent_id} ${row.address}`).toSorted();
    };
    expect(await readAll()).toEqual(
      [
        `${host.id} mcp https://website.example/mcp`,
        `${host.id} mcp https://api.website.example/mcp`,
        `${page.id} skill https://github.com/someone/x/skill.md`,
        `${owned.id} skill https://github.com/someone/x/skill.md`,
        `${owned.id} skill https://raw.githubusercontent.com/Someone/x/HEAD/skill.md`,
        `${imported.id} mcp https://evil-website.example/mcp`,
      ].toSorted(),
    );
    const operator = createOperatorStore(database.engine);
    await operator.hide({ ids: new Set([imported.id, page.id, owned.id]) }, 'spam');
    expect((await readAll()).map((row) => row.split(' ')[0])).toEqual([host.id, host.id]);
    await operator.erase({ ids: new Set([host.id]) });
    expect(await readAll()).toEqual([]);
  });

  test('are at most one a day, and stop for 30 days after two answers that the address is gone', async () => {
    await createAgentStore(database.engine).load([makeAgent({ ...proved, websiteProof: 'host', connections: [mcp] })]);
    const store = createStore();
    const asked: number[] = [];
    let status = 404;
    const check = async () => {
      asked.push(clock);
      return { result: 'other', tools: null, reason: '', status, retryAfter: undefined } as const;
    };
    await store.sync();
    const rateLimitStore = createRateLimitStore(database.engine, () => clock);
    const start = clock;
    for (let hour = 0; hour < 24 * 75; hour += 1, clock += 3_600_000) {
      if (asked.length === 3) status = 200;
      await checkDueConnections({ store, check, rateLimitStore }, new AbortController().signal);
    }
    const days = asked.map((at) => Math.round((at - asked[0]!) / 86_400_000));
    expect(asked[0]! - start).toBeLessThanOrEqual(86_400_000);
    expect(days.slice(0, 6)).toEqual([0, 1, 31, 61, 62, 63]);
  });

  test('are at most 64 of one site a day, and those that were left out come first on the next', async () => {
    const urls = Array.from({ length: 80 }, (_, index) => `https://a${index}.website.example/mcp`);
    const own = Array.from({ length: 10 }, (_, index) =>
      makeAgent({
        ...proved,
        websiteProof: 'host',
        connections: urls.slice(index * 8, (index + 1) * 8).map((url) => ({ ...mcp, url })),
      }),
    );
    const other = { ...mcp, url: 'https://other.example/mcp' };
    const elsewhere = makeAgent({
      ...proved,
      website: 'https://other.example/',
      websiteProof: 'host',
      connections: [other],
    });
    await createAgentStore(database.engine).load([...own, elsewhere]);
    const asked: string[] = [];
    const check = async (connection: Connection) => {
      if ('url' in connection) asked.push(connection.url);
      clock += 1_000;
      return { result: 'answered', tools: null, reason: '', status: 200, retryAfter: undefined } as const;
    };
    const store = createStore();
    const options = { store, check, rateLimitStore: createRateLimitStore(database.engine, () => clock) };
    await store.sync();
    // All are due.
    clock += 86_400_000;
    await checkDueConnections(options, new AbortController().signal);
    expect(asked).toContain(other.url);
    const first = asked.filter((url) => url !== other.url);
    expect(first.length).toBe(64);
    await expect(checkConnections(options, own[0]!.id)).rejects.toThrow(
      'Connections of website.example were checked 64 times within a day. Try again in 24 hours',
    );
    expect(asked.length).toBe(65);
    clock += 86_400_000;
    await checkDueConnections(options, new AbortController().signal);
    const second = asked.slice(65).filter((url) => url !== other.url);
    expect(second.length).toBe(64);
    expect(new Set([...first, ...second])).toEqual(new Set(urls));
  });

  test.each([
    ['https://api.example.co.uk/x', 'example.co.uk'],
    ['https://someone.github.io/x', 'someone.github.io'],
    ['https://raw.githubusercontent.com/someone/x', 'raw.githubusercontent.com'],
  ])('of %s count for %s', (address, site) => {
    expect(toAskedSite(address)).toBe(site);
  });

  test('are asked for by the owner, whose facts say why one failed, five times a day', async () => {
    const key = createManagementKey();
    const store = createStore();
    const rateLimitStore = createRateLimitStore(database.engine);
    const agents = createAgentStore(database.engine);
    const app = await startTestApp({
      database,
      agents,
      CACHE_SIZE: 0,
      connectionChecks: { store, check: createCheck(), rateLimitStore },
    });
    const agent = makeAgent({ ...proved, websiteProof: 'host', connections: [mcp, card] });
    await createOperatorStore(database.engine).add([agent]);
    await createOperatorStore(database.engine).setKeyHash(agent.id, hashKey(key));
    answerWithSessions();
    const facts = async (init: RequestInit = {}, path = 'facts') => {
      const response = await fetch(`${app.url}/api/agents/${agent.id}/${path}`, init);
      return [response.status, (await response.json()) as EntryFacts] as const;
    };
    const own = { headers: { authorization: `Bearer ${key}`, accept: 'application/json' } };
    expect((await facts())[1]).not.toHaveProperty('connections');
    const [status, checked] = await facts({ ...own, method: 'POST' }, 'connection-check');
    expect([status, checked.connections]).toMatchObject([
      200,
      [
        { address: 'a2a https://website.example/card.json', result: 'answered', tools: null },
        {
          address: 'mcp https://website.example/mcp',
          result: 'answered',
          tools: 2,
          checkedAt: new Date(clock).toISOString(),
        },
      ],
    ]);
    answer = ({ url }, response) => reply(response, url === '/robots.txt' ? 404 : 500);
    for (let times = 1; times < 5; times += 1) await facts({ ...own, method: 'POST' }, 'connection-check');
    const reasonsOf = async (init: RequestInit) => (await facts(init))[1].connections?.map(({ reason }) => reason);
    expect(await reasonsOf(own)).toEqual(['status 500', 'status 500']);
    expect(await reasonsOf({ headers: { accept: 'application/json' } })).toEqual(['', '']);
    expect((await facts({ ...own, method: 'POST' }, 'connection-check'))[0]).toBe(429);
    await app.close();
  });
});
