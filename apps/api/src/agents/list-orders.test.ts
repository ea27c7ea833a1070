import {
  categoryIds,
  MAX_SEARCH_RESULTS,
  valuesOf,
  sortValues,
  type Agent,
  type ListedAgent,
  type SortOrder,
} from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeRandom } from '../testing/corpora.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { selectAgents } from '../testing/select-agents.ts';
import type { AgentPage, PagePart } from './list-pages.ts';
import { createAgentStore, type AgentStore } from '../stores.ts';
import type { ListRequest } from './agent-lists.ts';
import { runsAll } from '../testing/tier.ts';

const random = makeRandom(26);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
/** Some of the values of a filter, or no filter. */
const pickSome = <Item>(items: readonly Item[]): readonly Item[] | undefined => {
  const some = items.filter(() => random() < 0.5);
  return some.length > 0 ? some : undefined;
};

const connection = { kind: 'mcp', transport: 'sse', url: 'https://example.com/' } as const;

// Few different values, so that most agents are equal in some columns of each order.
const agents: Agent[] = Array.from({ length: 300 }, (_, index) =>
  makeAgent({
    name: pick(['otter', 'Otter', 'Ötter mail', 'zebra mail', '水獭 mail', '🦦', 'Ápex', 'b']),
    category: pick(categoryIds),
    pricingModel: pick(valuesOf('pricingModel')),
    apiAccess: pick(valuesOf('apiAccess')),
    rating: pick([0, 0, 4.5, 4.6]),
    reviewCount: pick([0, 0, 3]),
    // Of owners of their own, since a search lets two agents of one stand among the first ones.
    website: pick([null, `https://owner-${index}.example/`]),
    description: `Does ${Array.from(String(index), (digit) => 'abcdefghij'[Number(digit)]).join('')}.`,
    ...(random() < 0.5 && { websiteCheckedAt: '2026-01-03T00:00:00.000Z' }),
    ...(random() < 0.3 && { connections: [connection] }),
    createdAt: `2026-01-0${pick([1, 2])}T00:00:00.000Z`,
  }),
);

const lists: ListRequest[] = Array.from({ length: runsAll ? 25 : 10 }, () => ({
  category: random() < 0.4 ? pick(categoryIds) : undefined,
  pricing: pickSome(valuesOf('pricingModel')),
  apiAccess: pickSome(valuesOf('apiAccess')),
  proved: random() < 0.3 ? ['yes'] : undefined,
  connects: random() < 0.3 ? ['mcp', 'a2a'] : undefined,
  sort: pick([undefined, ...sortValues]),
}));

type ReadPage = (part: PagePart) => Promise<AgentPage | undefined>;

/** Reads a list page by page to its end, and back to its start; each page tells its position. */
async function expectPages(readPage: ReadPage, expected: readonly ListedAgent[], limit: number): Promise<void> {
  let page = await readPage({ limit, position: true });
  for (let begin = 0; ; begin += limit) {
    expect(page).toEqual({
      ...page,
      agents: expected.slice(begin, begin + limit),
      total: expected.length,
      hasMore: begin + limit < expected.length,
      hasPrevious: begin > 0,
      position: begin + 1,
    });
    if (!page?.hasMore) break;
    page = await readPage({ limit, position: true, after: page.agents.at(-1)?.id });
  }
  while (page?.hasPrevious) {
    const end = expected.findIndex(({ id }) => id === page?.agents[0]?.id);
    page = await readPage({ limit, position: true, before: page.agents[0]?.id });
    const begin = Math.max(0, end - limit);
    expect(page).toMatchObject({ hasMore: true, hasPrevious: begin > 0, position: begin + 1 });
    expect(page?.agents).toEqual(expected.slice(begin, end));
  }
}

describe.each(engines)('lists with filters and sort on $name', ({ open }) => {
  let database: TestDatabase;
  let store: AgentStore;

  beforeAll(async () => {
    database = await open();
    store = createAgentStore(database.engine);
    await store.load(agents);
  });

  afterAll(() => database.remove());

  test('every list equals a plain filter and sort, as a whole and page by page', async () => {
    for (const list of lists) {
      const expected = selectAgents(agents, list);
      expect(await store.list(list)).toEqual(expected);
      await expectPages((part) => store.page({ ...list, ...part }), expected, pick([7, 40]));
    }
  });

  test('every search equals a plain filter and sort of its results, as a whole and page by page', async () => {
    const { agents: found = [] } = (await store.search({ text: 'mail' })) ?? {};
    expect(found).toHaveLength(agents.filter(({ name }) => name.includes('mail')).length);
    for (const { category: _none, ...list } of lists.slice(0, 15)) {
      const sorted = selectAgents(found, list);
      const expected = list.sort ? sorted : found.filter((agent) => sorted.includes(agent));
      const whole = await store.search({ text: 'mail', ...list, limit: MAX_SEARCH_RESULTS });
      expect(whole?.agents).toEqual(expected);
      await expectPages((part) => store.search({ text: 'mail', ...list, ...part }), expected, pick([3, 40]));
    }
  });

  test('facets of lists and searches equal plain counts', async () => {
    const { agents: found = [] } = (await store.search({ text: 'mail' })) ?? {};
    const count = (counted: readonly ListedAgent[]) =>
      valuesOf('pricingModel').flatMap((pricing) =>
        valuesOf('apiAccess').flatMap((apiAccess) => {
          const countOf = (list: ListRequest) =>
            selectAgents(counted, { pricing: [pricing], apiAccess: [apiAccess], ...list }).length;
          const counts = [[], ['mcp']].flatMap((connects) => {
            const list = connects.length > 0 ? { connects: ['mcp' as const] } : {};
            const without = (chosen: ListRequest) =>
              connects.length > 0 ? 0 : countOf({ ...chosen, connects: ['mcp'] });
            const proved = countOf({ ...list, proved: ['yes'] }) - without({ proved: ['yes'] });
            const all = countOf(list) - without({});
            const values = { pricing: [pricing], apiAccess: [apiAccess], connects };
            return [
              { ...values, proved: ['yes'], agents: proved },
              { ...values, proved: [], agents: all - proved },
            ];
          });
          return counts.filter((row) => row.agents > 0);
        }),
      );
    const vision = selectAgents(agents, { category: 'vision' });
    const sorted = (counts: object[]) => counts.map((counted) => JSON.stringify(counted)).toSorted();
    expect(sorted((await store.countFacets({})).counts)).toEqual(sorted(count(agents)));
    expect(sorted((await store.countFacets({ category: 'vision' })).counts)).toEqual(sorted(count(vision)));
    expect(sorted((await store.countFacets({ text: 'mail' })).counts)).toEqual(sorted(count(found)));
    expect((await store.countFacets({ text: '!' })).counts).toEqual([]);
  });

  test.each<SortOrder>([...sortValues])(
    'registrations between pages neither repeat nor skip agents: %s',
    async (sort) => {
      const expected = selectAgents(await store.list(), { sort, pricing: ['free'] });
      const walked: ListedAgent[] = [];
      for (let after: string | undefined; ;) {
        const page = await store.page({ sort, pricing: ['free'], limit: 20, after });
        walked.push(...(page?.agents ?? []));
        if (!page?.hasMore) break;
        after = page.agents.at(-1)?.id;
        const {
          id: _id,
          rating: _rating,
          reviewCount: _count,
          createdAt: _at,
          ...newAgent
        } = makeAgent({ name: 'otter' });
        await store.register(newAgent);
      }
      const known = new Set(expected.map(({ id }) => id));
      expect(walked.filter(({ id }) => known.has(id))).toEqual(expected);
      expect(new Set(walked.map(({ id }) => id)).size).toBe(walked.length);
    },
  );
});

test.each(engines)('more than 1,000 results of a search have the order of the list, on $name', async ({ open }) => {
  const database = await open();
  onTestFinished(() => database.remove());
  const store = createAgentStore(database.engine);
  const many = Array.from({ length: 1_100 }, () =>
    makeAgent({ name: `${pick(['Otter', 'Heron', 'Ápex'])} ${Math.floor(random() * 500)}`, description: 'Swims.' }),
  );
  await store.load([...many, makeAgent({ name: 'Plain' })]);
  const expected = selectAgents(many, { sort: 'name' });
  const read = (part: PagePart) => store.search({ text: 'swims', sort: 'name', ...part });
  const first = await read({ limit: 20 });
  expect(first).toMatchObject({ total: 1_100, agents: expected.slice(0, 20) });
  const [last] = expected.slice(899, 900);
  expect(await read({ limit: 20, after: last?.id })).toMatchObject({ agents: expected.slice(900, 920) });
});
