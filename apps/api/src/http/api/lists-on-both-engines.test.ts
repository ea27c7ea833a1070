import { sortValues } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engines } from '../../testing/engines.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

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

/** The calls that list and search, and how many agents they find. */
const calls: [call: string, found: number][] = [
  ['/api/agents?', 24],
  ['/api/agents?website=https://example.com/none', 0],
  ['/api/agents?website=https://example.com/heron', 1],
  ['/api/agents/category/vision?', 8],
  ['/api/search?q=!!!', 0],
  ['/api/search?q=qxjzv', 0],
  ['/api/search?q=heron', 1],
  ['/api/search?q=otter', 6],
  // Found by a correction, and by some of the words.
  ['/api/search?q=heronn', 1],
  ['/api/search?q=heron+otter', 7],
];
const orders = ['', ...sortValues.map((sort) => `&sort=${sort}`)];
const filters = [
  '',
  '&pricing=paid',
  '&apiAccess=yes,planned',
  '&pricing=free,paid&apiAccess=no',
  '&pricing=enterprise',
  '&proved=yes',
  '&capability=counting',
  '&since=2026-01-04&pricing=paid',
];
const cursors = [
  '',
  '&limit=3&position=true',
  `&after=${idOf(9)}`,
  `&after=${idOf(8)}&limit=2&position=true`,
  `&before=${idOf(9)}`,
  `&before=${idOf(8)}&limit=2&position=true`,
  `&after=${UNKNOWN_ID}`,
  `&before=${UNKNOWN_ID}&limit=1`,
  '&from=o&limit=2&position=true',
];
/** Each order with each cursor; the filters take turns, so that each filter comes with each order and each cursor. */
const parts = orders.flatMap((order, row) =>
  cursors.map((cursor, column) => `${order}${filters[(row + column) % filters.length]}${cursor}`),
);

let apps: TestApp[];

beforeAll(async () => {
  apps = await Promise.all(engines.map(async ({ open }) => startTestApp({ database: await open() })));
  for (const app of apps) await app.agents.load(agents);
});

afterAll(async () => {
  for (const app of apps) await app.close();
});

/** The answers of all engines to a request, without the headers that differ from one response to the next. */
function ask(path: string) {
  return Promise.all(
    apps.map(async ({ url }) => {
      const response = await fetch(url + path);
      const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
      return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() };
    }),
  );
}

test.each(calls)(
  '%s finds %i agents, the same on every engine in each order, with each filter and cursor',
  async (call, found) => {
    for (const part of parts) {
      const path = call + part;
      const [first, ...others] = await ask(path);
      for (const other of others) expect({ path, ...other }).toEqual({ path, ...first });
      expect(first?.status).toBeLessThan(500);
    }
    const [whole] = await ask(call);
    expect(JSON.parse(whole?.body ?? '')).toHaveLength(found);
  },
);

test('the facets of each list and search are the same on every engine, with each filter', async () => {
  for (const list of ['', 'category=vision', ...calls.flatMap(([call]) => /q=.*/.exec(call) ?? [])]) {
    for (const filter of filters) {
      const path = `/api/facets?${list}${filter}`;
      const [first, ...others] = await ask(path);
      expect([path, first?.status]).toEqual([path, 200]);
      for (const other of others) expect({ path, ...other }).toEqual({ path, ...first });
    }
  }
});
