import { isDeepStrictEqual } from 'node:util';
import { OPENSEARCH_SUGGESTIONS_PATH, sortValues, toCursor, type CursorOrder } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engines } from '../../testing/engines.ts';
import { send, startTestApp, type RawRequest, type TestApp } from '../../testing/test-app.ts';

const UNKNOWN_ID = 'ffffffff-0000-4000-8000-000000000000';
const idOf = (index: number) => `aaaaaaaa-0000-4000-8000-${String(index).padStart(12, '0')}`;

// Every fourth agent is an otter. Few different values, so that the orders need their later columns.
const agents = Array.from({ length: 24 }, (_, index) =>
  makeAgent({
    id: idOf(index),
    name: index === 9 ? 'Heron' : `${index % 4 === 0 ? 'Otter' : 'Plain'} ${'Ab'[index % 2]}`,
    description: index % 8 === 0 ? 'Counts otters.' : 'Works.',
    category: index % 3 === 0 ? 'vision' : 'language',
    website: index === 5 ? 'https://example.com/heron' : index % 3 === 0 ? 'https://example.com/' : null,
    ...(index % 6 === 0 && { websiteCheckedAt: '2026-02-01T00:00:00.000Z' }),
    capabilities: index % 2 === 0 ? ['Sorting'] : ['sorting', 'counting'],
    pricingModel: index % 5 === 0 ? 'paid' : 'free',
    apiAccess: index % 2 === 0 ? 'yes' : 'no',
    rating: index % 3,
    reviewCount: index % 2,
    createdAt: `2026-01-${String(1 + Math.floor(index / 2)).padStart(2, '0')}T00:00:00.000Z`,
  }),
);

/** The query parameters of a request by their names; a list repeats one. */
type Query = Record<string, string | string[]>;

const CONTROLS = ['\0', 'otter\0', '\u0001\u001B[2J\u007F\u0085', '\uFFFE\uFDD0'];
const SURROGATES = ['\uD800', 'otter \uDC00 heron'];
const LONG = 'otter '.repeat(2_500);
/** Signs of FTS5, of tsquery, of LIKE and of SQL. */
const SIGNS = [`'"\\;--`, '"a" AND NOT (b*', "a & !b:* | 'c'", '%_%', 'NEAR(a b, 2) ^c {d}: -e'];

/** Texts of a search: its operators with odd values, and odd texts. */
const texts = [
  'heron',
  'otter',
  // Found by a correction, and by some of the words.
  'heronn',
  'heron otter',
  '!!!',
  'qxjzv',
  ...['category', 'name', 'capability', 'by', 'like', 'pricing', 'api'].flatMap((field) =>
    ['"two words"', 'a"b', "vision','x", '-', 'a\0b', '🦦,\u200D'].map((value) => `otter ${field}:${value}`),
  ),
  'like:heron category:vision',
  'category:"vision otter"',
  'category:data-science',
  'otter -"heron b" -a"b',
  '"otter a" -sorting',
  'otter but free, alternatives for heron',
  '🦦👩‍💻',
  '𝔒𝔱𝔱𝔢𝔯 ｏｔｔｅｒ ﷺ',
  '計算カワウソ',
  ...CONTROLS,
  ...SIGNS,
];

const toPlace = (order: CursorOrder, index: number, position = index) => toCursor(agents[index]!, order, position);
const encode = (value: unknown) => `1.${Buffer.from(JSON.stringify(value)).toString('base64url')}`;

/** The order of a list with the start of its page. */
const places: Query[] = [
  {},
  { after: idOf(9).toUpperCase() },
  { before: idOf(8) },
  { after: UNKNOWN_ID },
  { after: toPlace('best', 2) },
  { before: toPlace('best', 5) },
  { after: toPlace('best', 9, 999) },
  { after: toPlace('newest', 9) },
  ...sortValues.flatMap((sort) => [
    { sort },
    { sort, after: toPlace(sort, 8) },
    { sort, before: toPlace(sort, 9) },
    { sort, before: idOf(9) },
  ]),
  { sort: 'name', from: 'o' },
  { sort: 'name', from: '\u{10FFFF}' },
  { sort: 'name', from: "'%" },
  { sort: 'rating', after: toPlace('name', 8) },
  // Places of agents that cannot be.
  { sort: 'rating', after: encode(['rating', idOf(8), 4.25, 1, '2026-01-01T00:00:00.000Z']) },
  { sort: 'newest', after: encode(['newest', idOf(8), '2026']) },
  { sort: 'name', before: encode(['name', idOf(8), '\u{10FFFF}\u0001']) },
];

/** Cursors, of which none may reach a database that does not take their values. */
const oddCursors = [
  encode(['rating', idOf(8), 1, 1.5, agents[8]!.createdAt]),
  encode(['rating', idOf(8), 1e-300, 1, agents[8]!.createdAt]),
  encode(['rating', idOf(8), 2 ** 31, 1, agents[8]!.createdAt]),
  encode(['reviews', idOf(8), 0.5, 1, agents[8]!.createdAt]),
  encode(['reviews', idOf(8), 1, 1, 'now']),
  encode(['reviews', idOf(8), 1, 1, '']),
  encode(['newest', idOf(8), 'infinity']),
  encode(['newest', idOf(8), '\u{10FFFF}']),
  encode(['newest', idOf(8), '2026-13-01T00:00:00.000Z']),
  encode(['name', idOf(8), '\0']),
  encode(['name', idOf(8), '\uD800']),
  encode(['name', idOf(8).toUpperCase(), 'otter']),
  encode(['name', idOf(8), 'x'.repeat(4_000)]),
  encode(['best', idOf(8), 1.5]),
  encode(['best', idOf(8), 0]),
  encode(['best', idOf(8), 2 ** 53]),
  '1.5',
  '{log}.1.5',
  '{log}.999999999999999',
  '{log}.9999999999999999',
  `${idOf(8)}\0`,
  `${idOf(8)}.5`,
];

const limits: Query[] = [{}, { limit: '3', position: 'true' }, { limit: '200' }];
const filters: Query[] = [
  {},
  { pricing: 'paid' },
  { apiAccess: 'yes,planned' },
  { pricing: ['free', 'paid'], apiAccess: 'no' },
  { pricing: 'enterprise' },
  { proved: 'yes' },
  { capability: 'counting', fields: 'id,name' },
  { capability: "c'o\"u%nting" },
  { capability: '🦦 c o' },
  { since: '2026-01-04', pricing: 'paid' },
  { since: '0000-01-01' },
  { since: '9999-12-31' },
  { correct: 'false' },
];
/** What is refused wherever it is a parameter, but for empty texts, which forms send. */
const odd: Query[] = [
  ...['0', '-1', '1.5', '1e2', '0x2', '9'.repeat(400), '١', ''].flatMap((limit) => [
    { limit },
    { pageSize: limit },
    { position: limit },
  ]),
  ...[...CONTROLS, ...SURROGATES, ...SIGNS, LONG, '', ' ', '2026-02-30', '-000001-01-01', '2026-01-01T00:00:00Z'].flatMap(
    (text) =>
      ['capability', 'since', 'pricing', 'proved', 'sort', 'fields', 'category', 'website', 'after', 'include']
        .map((name): Query => ({ [name]: text }))
        .concat({ sort: 'name', from: text }, { q: text }, { q: [text, text] }, { q: `otter name:"${text}"` }),
  ),
  ...oddCursors.flatMap((cursor): Query[] => [
    ...sortValues.map((sort) => ({ sort, after: cursor })),
    { before: cursor },
    { pageToken: cursor },
  ]),
];

const plain = { q: 'otter' };
const toUrl = (path: string, query: Query) => {
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const));
  // A surrogate as three bytes, which are not UTF-8.
  const encodeValue = (value: string) =>
    Array.from(value, (sign) => (sign.isWellFormed() ? encodeURIComponent(sign) : '%ED%A0%80')).join('');
  return `${path}?${pairs.map(([name, value]) => `${name}=${encodeValue(value)}`).join('&')}`;
};
type Call = RawRequest & { path: string };
const get = (path: string, accept?: string) => (query: Query): Call => ({
  path: toUrl(path, query),
  ...(accept !== undefined && { headers: { accept } }),
});
const postJson = (path: string, body: unknown): Call => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify(body),
});
const callProcedure =
  (name: string) =>
  (query: Query): Call => ({ path: toUrl(`/trpc/${name}`, { input: JSON.stringify(query) }) });
const toNumber = (text: string | string[] | undefined) => (text === undefined ? undefined : Number(text));

/** The surfaces with parameters of a list, and how each is asked. */
const surfaces: Record<string, (query: Query) => Call> = {
  list: get('/api/agents'),
  category: get('/api/agents/category/vision'),
  search: get('/api/search'),
  'search over tRPC': callProcedure('agents.search'),
  page: get('/', 'text/html'),
  'page in Markdown': get('/', 'text/markdown'),
  'MCP search': ({ q, pricing, apiAccess, after, limit, ...query }) =>
    postJson('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'search_agents',
        arguments: { ...query, query: q, pricingModel: pricing, apiAccess, cursor: after, limit: toNumber(limit) },
      },
    }),
  'ARD search': ({ q, after, pageToken = after, limit, pageSize = limit, category, capability, ...query }) =>
    postJson('/ard/search', {
      query: { text: q, ...((category ?? capability) && { filter: { tags: category, capabilities: capability } }) },
      ...('sort' in query && { federation: 'none' }),
      pageSize: toNumber(pageSize),
      pageToken,
    }),
  'ARD list': ({ after, pageToken = after, limit, pageSize = limit }) =>
    get('/ard/agents')({ ...(pageToken && { pageToken }), ...(pageSize && { pageSize }) }),
  facets: get('/api/facets'),
  feed: get('/feed.xml'),
  'JSON feed': get('/feed.json'),
  suggestions: get('/api/suggest'),
  'suggestions of OpenSearch': get(OPENSEARCH_SUGGESTIONS_PATH),
  changes: ({ after, ...query }) => get('/api/changes')({ ...query, ...(after && { after }) }),
  history: ({ after = idOf(1) }) => get(`/api/agents/${encodeURIComponent(String(after).toWellFormed())}/history`)({}),
};

let apps: TestApp[];
let logs: string[];

beforeAll(async () => {
  apps = await Promise.all(
    engines.map(async ({ open }) =>
      startTestApp({ database: await open(), withSite: true, publicUrl: 'https://registry.example' }),
    ),
  );
  for (const app of apps) await app.agents.load(agents);
  const readLog = async ({ url }: TestApp) => ((await (await fetch(`${url}/api/changes`)).json()) as { next: string }).next;
  logs = (await Promise.all(apps.map(readLog))).map((next) => next.split('.')[0]!);
});

afterAll(async () => {
  for (const app of apps) await app.close();
});

/** The answers of the engines to a request, without what differs from one response to the next. */
function ask({ path, ...request }: Call) {
  return Promise.all(
    apps.map(async ({ url }, index) => {
      const log = logs[index] as string;
      const response = await send(url, { ...request, path: path.replaceAll('%7Blog%7D', log) });
      const { date: _date, 'x-request-id': _id, etag: _etag, ...headers } = response.headers;
      const body = response.body.replaceAll(log, '{log}').replaceAll(/"at":"[^"]+"/g, '"at":""');
      return { status: response.status, headers, body };
    }),
  );
}

/** The requests of which the engines have different answers, or one that is a fault of the server. */
async function findFaults(requests: Iterable<{ surface: string; query: Query }>) {
  const faults: unknown[] = [];
  for (const { surface, query } of requests) {
    const answers = await ask(surfaces[surface]!(query));
    const isSame = answers.every((answer) => isDeepStrictEqual(answer, answers[0]));
    if (!isSame || answers[0]!.status >= 500) faults.push({ surface, query, answers });
  }
  if (process.env['DUMP']) { const fs = await import('node:fs'); fs.appendFileSync('/tmp/engines-faults.txt', [...requests].length + '\n' + faults.map((f: any) => JSON.stringify([f.surface, f.query, ...f.answers.map((a: any) => [a.status, a.body.slice(0, 150)])])).join('\n').slice(0, 400000) + '\n====\n'); }
  return faults;
}

/** Few cases in which each two values of different parameters come together: each case takes the values that add most. */
function* combine<Case extends Record<string, unknown>>(values: { [Name in keyof Case]: readonly Case[Name][] }) {
  const names = Object.keys(values);
  const toPair = (one: string, other: string) => [one, other].toSorted().join('&');
  const choices = names.map((name) => values[name]!.map((_, index) => `${name}:${index}`));
  const missing = new Set(
    choices.flatMap((ones, at) =>
      choices.slice(at + 1).flatMap((others) => ones.flatMap((one) => others.map((other) => toPair(one, other)))),
    ),
  );
  for (let [pair] = missing; pair !== undefined; [pair] = missing) {
    const chosen = pair.split('&');
    for (const [at, options] of choices.entries()) {
      if (chosen.some((choice) => choice.startsWith(`${names[at]}:`))) continue;
      const gain = (option: string) => chosen.filter((choice) => missing.has(toPair(choice, option))).length;
      chosen.push(options.reduce((best, option) => (gain(option) > gain(best) ? option : best)));
    }
    for (const one of chosen) for (const other of chosen) missing.delete(toPair(one, other));
    yield Object.fromEntries(
      chosen.map((choice) => choice.split(':')).map(([name, index]) => [name, values[name as keyof Case][Number(index)]]),
    ) as Case;
  }
}

test.each<[found: number, call: string]>([
  [24, '/api/agents?'],
  [0, '/api/agents?website=https://example.com/none'],
  [1, '/api/agents?website=https://example.com/heron'],
  [8, '/api/agents/category/vision?'],
  [0, '/api/search?q=!!!'],
  [0, '/api/search?q=qxjzv'],
  [1, '/api/search?q=heron'],
  [6, '/api/search?q=otter'],
  [1, '/api/search?q=heronn'],
  [7, '/api/search?q=heron+otter'],
])('%i agents are found by %s', async (found, path) => {
  for (const { body } of await ask({ path })) expect(JSON.parse(body)).toHaveLength(found);
});

const toRequest = ({ surface, ...queries }: { surface: string } & Record<string, Query | string>) => ({
  surface,
  query: Object.assign({}, ...Object.values(queries)) as Query,
});

test('a search has the same answer on every engine, whatever its text, filters, order and page', async () => {
  const surface = ['search', 'search over tRPC', 'page in Markdown', 'MCP search', 'ARD search'];
  const text = texts.map((q) => ({ q }));
  const cases = [...combine({ text, place: places, filter: filters, limit: limits, surface })];
  expect(await findFaults(cases.map(toRequest))).toEqual([]);
});

test('a list has the same answer on every engine, whatever its filters, order and page', async () => {
  const subject: Query[] = [{}, { category: 'vision' }, { website: 'https://example.com/' }, { q: 'otter' }];
  const surface = ['list', 'category', 'page', 'page in Markdown', 'ARD list'];
  const cases = [...combine({ subject, place: places, filter: filters, limit: limits, surface })];
  expect(await findFaults(cases.map(toRequest))).toEqual([]);
});

test('facets, feeds and suggestions are the same on every engine, whatever the text and the filters', async () => {
  const subject: Query[] = [{}, { category: 'vision' }, ...texts.map((q) => ({ q }))];
  const surface = ['facets', 'feed', 'JSON feed', 'suggestions', 'suggestions of OpenSearch'];
  expect(await findFaults([...combine({ subject, filter: filters, surface })].map(toRequest))).toEqual([]);
});

test('an odd value has the same answer on every engine, on each surface', async () => {
  const requests = odd.flatMap((query) =>
    Object.keys(surfaces).map((surface) => ({ surface, query: { ...plain, ...query } })),
  );
  expect(await findFaults(requests)).toEqual([]);
});
