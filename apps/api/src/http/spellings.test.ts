import { createReadRequests, defaultCategories } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { send, startTestApp, type TestApp } from '../testing/test-app.ts';

// The same request as different clients and models send it.

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await engines[0].open();
  app = await startTestApp({ database, PUBLIC_URL: 'https://registry.example' });
  await app.agents.load([
    makeAgent({
      name: 'Otter',
      category: 'chatbot',
      pricingModel: 'free',
      connections: [{ kind: 'a2a', card: 'https://otter.example.com/card.json' }],
    }),
    makeAgent({ name: 'Otter pup', category: 'vision', pricingModel: 'paid' }),
  ]);
});

afterAll(async () => {
  await app.close();
  await database.remove();
});

type Sent = { path?: string; headers?: Record<string, string | null>; body: object };

async function post({ path = '', headers = {}, body }: Sent): Promise<unknown> {
  const all = { 'content-type': 'application/json', accept: 'application/json', ...headers };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const answer = await send(app.url + path, {
    method: 'POST',
    headers: Object.fromEntries(given),
    body: JSON.stringify(body),
  });
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  const text = answer.body.startsWith('event:') ? (/^data: (.*)$/m.exec(answer.body)?.[1] ?? '') : answer.body;
  return JSON.parse(text);
}

const transports: [name: string, sent: Omit<Sent, 'body'>][] = [
  ['as it is', {}],
  ['with a character set', { headers: { 'content-type': 'Application/JSON; charset="UTF-8"' } }],
  ['with a type of its own', { headers: { 'content-type': 'application/vnd.mcp+json' } }],
  ['without a type', { headers: { 'content-type': null } }],
  ['without Accept', { headers: { accept: null } }],
  ['for anything', { headers: { accept: '*/*' } }],
  ['for a stream', { headers: { accept: 'application/json, text/event-stream' } }],
];

const toPaths = (path: string): [name: string, sent: Omit<Sent, 'body'>][] => [
  ...transports.map(([name, sent]): [string, Omit<Sent, 'body'>] => [name, { path, ...sent }]),
  ['with a slash at the end', { path: `${path}/` }],
  ['with a doubled slash', { path: `/${path}` }],
];

const callTool = (name: string, args?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, ...(args !== undefined && { arguments: args }) },
});

type ToolAnswer = { result?: { isError?: boolean; structuredContent?: { agents?: { name: string }[] } } };

const namesOf = (answer: unknown) =>
  (answer as ToolAnswer).result?.structuredContent?.agents?.map(({ name }) => name) ?? answer;

test.each(toPaths('/mcp'))('a tool is called %s', async (_name, sent) => {
  const body = callTool('search_agents', { query: 'otter' });
  expect(namesOf(await post({ ...sent, body }))).toEqual(['Otter', 'Otter pup']);
});

test.each<[object, string[]]>([
  [{ limit: '1' }, ['Otter']],
  [{ limit: 1, cursor: '', category: null, connects: [] }, ['Otter']],
  [{ category: 'Chatbot' }, ['Otter']],
  [{ pricingModel: 'Free' }, ['Otter']],
  [{ connects: 'mcp,a2a' }, ['Otter']],
  [{ connects: ['MCP', 'A2A'] }, ['Otter']],
  [{ connects: 'a2a', proved: null, since: '' }, ['Otter']],
  [{ verbose: true }, ['Otter', 'Otter pup']],
])('a search with %j', async (given, names) => {
  const body = callTool('search_agents', { query: ' otter ', ...given });
  expect(namesOf(await post({ path: '/mcp', body }))).toEqual(names);
});

test.each([[undefined], [null], [{}], [{ any: 1 }]])('a tool without input is called with %j', async (given) => {
  const answer = (await post({ path: '/mcp', body: callTool('list_categories', given) })) as ToolAnswer;
  expect(answer.result?.structuredContent).toHaveProperty('categories');
});

const NOTHING = [null, '', ' ', [], {}];
const whole: Record<string, unknown> = { q: 'otter', category: 'chatbot', id: '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f' };
const parameters = Object.entries(createReadRequests(defaultCategories)).flatMap(([call, { shape }]) =>
  Object.keys(shape).map((name) => ({ call, name, given: Object.keys(shape).filter((one) => one in whole) })),
);

test.each(parameters)('nothing for $name of $call over tRPC is absent, or refused by name', async (parameter) => {
  const { call, name, given } = parameter;
  for (const value of NOTHING) {
    const input = { ...Object.fromEntries(given.map((one) => [one, whole[one]])), [name]: value };
    const { status, body } = await send(`${app.url}/trpc/${call}?input=${encodeURIComponent(JSON.stringify(input))}`);
    const { error } = JSON.parse(body) as { error?: { message: string } };
    // The agent is none of this registry.
    if (status === 200 || status === 404) continue;
    expect([value, status, error?.message]).toEqual([
      value,
      400,
      expect.stringMatching(new RegExp(`\\b${name}\\b`, 'i')),
    ]);
    expect(error?.message).not.toContain('Invalid');
  }
});

test('nothing for an input of a tool is absent, or refused by name', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  type Tools = { result: { tools: { name: string; inputSchema: { properties?: object } }[] } };
  const { tools } = ((await post({ path: '/mcp', body: list })) as Tools).result;
  for (const { name: tool, inputSchema } of tools) {
    for (const name of Object.keys(inputSchema.properties ?? {})) {
      for (const value of NOTHING) {
        const body = callTool(tool, { ...(tool === 'search_agents' && { query: 'otter' }), [name]: value });
        const answer = (await post({ path: '/mcp', body })) as ToolAnswer & { result: { content: { text: string }[] } };
        if (answer.result.isError)
          expect([value, answer.result.content[0]?.text]).toEqual([value, expect.stringContaining(name)]);
      }
    }
  }
});

test('tools are listed without parameters, also with null for them', async () => {
  for (const params of [{}, { params: null }, { params: { cursor: null } }]) {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', ...params };
    expect(await post({ path: '/mcp', body: list })).toMatchObject({ result: { tools: { length: 3 } } });
  }
});

type Results = { results: { displayName: string }[] };

test.each(toPaths('/ard/search'))('entries are searched %s', async (_name, sent) => {
  const { results } = (await post({ ...sent, body: { query: { text: 'otter' } } })) as Results;
  expect(results.map(({ displayName }) => displayName)).toEqual(['Otter', 'Otter pup']);
});

test.each([
  { query: { text: 'otter', filter: null, '@context': null }, pageToken: null, federation: null, pageSize: null },
  { query: { text: 'otter', filter: { type: null, tags: null } }, pageSize: '10' },
])('entries are searched with %j', async (body) => {
  expect(((await post({ path: '/ard/search', body })) as Results).results).toHaveLength(2);
});

test.each([
  '/v0.1/servers',
  '/v0.1/servers/',
  '//v0.1/servers?limit=30',
  '/v0.1/servers/?limit=1000&cursor=&search=',
  '/v0.1//servers?limit=30&version=latest',
])('servers are listed at %s', async (path) => {
  const { status, body } = await send(app.url + path);
  expect([status, JSON.parse(body)]).toMatchObject([200, { metadata: { count: 1 } }]);
});
