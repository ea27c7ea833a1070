import { isDeepStrictEqual } from 'node:util';
import { sortValues, toCursor, type CursorOrder } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engines } from '../../testing/engines.ts';
import { send, startTestApp, type RawRequest, type TestApp } from '../../testing/test-app.ts';
import { runsAll } from '../../testing/tier.ts';

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

/** With `pnpm test --all` all values come in pairs, else the first ones, which have each parameter and each operator. */
const few = <Value>(values: readonly Value[], count: number) => (runsAll ? values : values.slice(0, count));

/** Texts of a search that come with each filter, order and page. */
const texts = [
  'otter',
  // Found by a correction.
  'heronn',
  'otter category:vision',
  '"otter a" -sorting',
  'like:heron',
  '計算 🦦 ﷺ',
  // Found by some of the words.
  'heron otter',
  'qxjzv',
  'category:"vision otter"',
];
const controls = ['\0', 'otter\0', '\u0001\u001B[2J\u007F\u0085', '\uFFFE\uFDD0'];
/** Control characters, halves of surrogate pairs, signs of FTS5, of tsquery, of LIKE and of SQL, and a text of 16 kB. */
const oddTexts = [
  ...controls,
  '\uD800',
  'otter \uDC00 heron',
  `'"\\;--`,
  '"a" AND NOT (b*',
  "a & !b:* | 'c'",
  '%_%',
  'NEAR(a b, 2) ^c {d}: -e',
  '',
  ' ',
  'otter '.repeat(2_700),
];
const oddSearches = [
  ...oddTexts,
  '!!!',
  'category:data-science',
  '🦦👩\u200D💻 𝔒𝔱𝔱𝔢𝔯 ｏｔｔｅｒ',
  'otter -"heron b" -a"b',
  ...['category', 'name', 'capability', 'by', 'like', 'api'].flatMap((field) =>
    ['"two words"', 'a"b', "vision','x", '-', 'a\0b', '🦦,\u200D'].map((value) => `otter ${field}:${value}`),
  ),
];

const toPlace = (order: CursorOrder, index: number, position = index) => toCursor(agents[index]!, order, position);

/** The order of a list with the start of its page. */
const places: Query[] = [
  {},
  { after: idOf(9).toUpperCase() },
  { before: idOf(8) },
  { after: UNKNOWN_ID },
  { after: toPlace('best', 2) },
  { before: toPlace('best', 5) },
  { after: toPlace('best', 9, 999) },
  ...sortValues.flatMap((sort): Query[] => [
    { sort, after: toPlace(sort, 8) },
    { sort, before: toPlace(sort, 9) },
  ]),
  { sort: 'rating', after: toPlace('name', 8) },
  ...sortValues.map((sort): Query => ({ sort })),
];

const encode = (order: CursorOrder, ...values: unknown[]) =>
  `1.${Buffer.from(JSON.stringify([order, idOf(8), ...values])).toString('base64url')}`;
const DAY = '2026-01-05T00:00:00.000Z';
/** Cursors with values that agents cannot have, or that one engine takes and the other does not. */
const oddCursors: [order: CursorOrder, ...values: unknown[]][] = [
  ['rating', 1, 1.5, DAY],
  ['rating', 1e-300, 1, DAY],
  ['rating', 1, 2 ** 31, DAY],
  ['reviews', 0.5, 1, DAY],
  ['reviews', 1, 1, 'now'],
  ['newest', 'infinity'],
  ['newest', '\u{10FFFF}'],
  ['newest', '2026-13-01T00:00:00.000Z'],
  ['name', '\0'],
  ['name', '\uD800'],
  ['name', '\u{10FFFF}\u0001'],
  ['name', 'x'.repeat(4_000)],
  ['best', 1.5],
  ['best', 0],
  ['best', 2 ** 53],
];

const limits: Query[] = [{}, { limit: '3', position: 'true' }, { limit: '200' }];
const filters: Query[] = [
  {},
  { pricing: ['free', 'paid'], apiAccess: 'no' },
  { proved: 'yes' },
  { capability: 'counting' },
  { since: '2026-01-04', pricing: 'paid' },
  { capability: 'c\'o"u%nting', since: '0000-01-01', correct: 'false' },
  { pricing: 'paid' },
  { apiAccess: 'yes,planned' },
  { pricing: 'enterprise' },
];
const pages = { place: few(places, 18), filter: few(filters, 6), limit: limits };
/** The parameters of all surfaces, which get odd texts. */
const names =
  'q capability since pricing sort category website after before pageToken include limit pageSize position'.split(' ');
const oddValues: (string | string[])[] = [
  ...oddTexts,
  '2026-02-30',
  '-000001-01-01',
  '0',
  '1.5',
  '1e2',
  '0x2',
  '9'.repeat(400),
  '١',
  '{log}.1.5',
  '{log}.999999999999999',
  `${idOf(8)}\0`,
  `${idOf(8)}.5`,
  ['otter', 'heron'],
];

const toUrl = (path: string, query: Query) => {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  // A surrogate as three bytes, which are not UTF-8.
  const encodeValue = (value: string) =>
    Array.from(value, (sign) => (sign.isWellFormed() ? encodeURIComponent(sign) : '%ED%A0%80')).join('');
  return `${path}?${pairs.map(([name, value]) => `${name}=${encodeValue(value)}`).join('&')}`;
};
type Call = RawRequest & { path: string };
const get =
  (path: string, accept?: string) =>
  (query: Query): Call => ({
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
  changes: ({ after, ...query }) => get('/api/changes')({ ...query, ...(after && { after }) }),
  history: ({ after = idOf(1) }) => get(`/api/agents/${encodeURIComponent(String(after).toWellFormed())}/history`)({}),
};

let apps: TestApp[];
let logs: string[];

beforeAll(async () => {
  apps = await Promise.all(
    engines.map(async ({ open }) =>
      startTestApp({ database: await open(), withSite: true, PUBLIC_URL: 'https://registry.example' }),
    ),
  );
  for (const app of apps) await app.agents.load(agents);
  const readLog = async ({ url }: TestApp) =>
    ((await (await fetch(`${url}/api/changes`)).json()) as { next: string }).next;
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
      const response = await send(url, { ...request, path: path.replace('after=%7Blog%7D', `after=${log}`) });
      const { date: _date, 'x-request-id': _id, etag: _etag, ...headers } = response.headers;
      const text = response.body.replaceAll(log, '{log}').replaceAll(/"at":"[^"]+"/g, '"at":""');
      // A feed without entries was updated when its registry began.
      const body = /<feed .*<entry>/s.test(text) ? text : text.replace(/(?<=<updated>)[^<]+/, '');
      return { status: response.status, headers, body };
    }),
  );
}

/** The requests of which the engines have different answers, or one that is a fault of the server. */
async function findFaults(requests: readonly { surface: string; query: Query }[]) {
  const faults: unknown[] = [];
  for (const { surface, query } of requests) {
    const answers = await ask(surfaces[surface]!(query));
    const isSame = answers.every((answer) => isDeepStrictEqual(answer, answers[0]));
    const isFault = answers.some(({ status, body }) => status >= 500 || body.includes('on our side'));
    if (isSame && !isFault) continue;
    faults.push({ surface, query, answers: answers.map(({ status, body }) => [status, body.slice(0, 200)]) });
  }
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
      chosen
        .map((choice) => choice.split(':'))
        .map(([name, index]) => [name, values[name as keyof Case][Number(index)]]),
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
  const text = few(texts, 6).map((q) => ({ q }));
  const cases = [...combine({ text, ...pages, surface })];
  expect(await findFaults(cases.map(toRequest))).toEqual([]);
});

test('a list has the same answer on every engine, whatever its filters, order and page', async () => {
  const subject: Query[] = [{}, { category: 'vision' }, { website: 'https://example.com/' }, { q: 'otter' }];
  const surface = ['list', 'category', 'page', 'page in Markdown', 'ARD list'];
  const cases = [...combine({ subject, ...pages, surface })];
  expect(await findFaults(cases.map(toRequest))).toEqual([]);
});

test('facets, feeds and suggestions are the same on every engine, whatever the text and the filters', async () => {
  const subject: Query[] = [{}, { category: 'vision' }, ...texts.map((q) => ({ q }))];
  const surface = ['facets', 'feed', 'JSON feed', 'suggestions'];
  expect(await findFaults([...combine({ subject, filter: filters, surface })].map(toRequest))).toEqual([]);
});

test('a search for an odd text has the same answer on every engine, wherever it is written', async () => {
  const surface = ['search', 'facets', 'page in Markdown', 'MCP search', 'ARD search', 'feed', 'search over tRPC'];
  const requests = oddSearches.map((q, index) => ({ surface: surface[index % surface.length]!, query: { q } }));
  expect(await findFaults(requests)).toEqual([]);
});

test('a cursor that cannot be has the same answer on every engine, on each surface', async () => {
  const surface = ['list', 'search over tRPC', 'page in Markdown', 'MCP search', 'ARD list', 'ARD search', 'changes'];
  const requests = oddCursors.flatMap(([order, ...values]) => {
    const query: Query = { q: 'otter', after: encode(order, ...values), ...(order !== 'best' && { sort: order }) };
    return surface.map((name) => ({ surface: name, query }));
  });
  expect(await findFaults(requests)).toEqual([]);
});

test('an odd value has the same answer on every engine, on each surface, in each parameter', async () => {
  const cases = [...combine({ name: names, value: oddValues, surface: Object.keys(surfaces) })];
  const requests = cases.map(({ name, value, surface }) => ({ surface, query: { q: 'otter', [name]: value } }));
  expect(await findFaults(requests)).toEqual([]);
});
