import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { logQueries, type QueryLog } from '../testing/query-log.ts';
import { createServerStore, type ServerStore } from '../servers/server-store.ts';
import { createAgentStore, type AgentStore } from '../stores.ts';

const idOf = (index: number) => `aaaaaaaa-0000-4000-8000-00000000000${index}`;

const agents = ['Heron', 'Otter', 'Otter Desk', 'Beaver'].map((name, index) =>
  makeAgent({ id: idOf(index), name, description: 'x', createdAt: `2026-01-0${index + 1}T00:00:00.000Z` }),
);

/** The calls that list, count and search, with inputs at their edges. */
const calls: Record<string, (store: AgentStore) => Promise<unknown>> = {
  'list, all': (store) => store.list(),
  'list, every filter': (store) =>
    store.list({ category: 'vision', pricing: ['free', 'paid'], apiAccess: ['no'], website: 'https://example.com' }),
  'list, proved': (store) => store.list({ proved: ['yes'] }),
  'list, a way to connect': (store) => store.list({ connects: ['mcp', 'openapi'] }),
  'list, a filter without values': (store) => store.list({ pricing: [] }),
  'list, a capability and a day': (store) => store.list({ capability: 'Plain', since: '2026-01-02' }),
  'list, by name': (store) => store.list({ sort: 'name' }),
  'list, a category by rating': (store) => store.list({ category: 'vision', sort: 'rating' }),
  'page, a capability of few agents': (store) => store.page({ capability: 'plain', limit: 2 }),
  'page, a capability in a category': (store) => store.page({ capability: 'plain', category: 'vision', limit: 2 }),
  'page, since a day': (store) => store.page({ since: '2026-01-02', sort: 'name', limit: 2 }),
  'page, first': (store) => store.page({ limit: 2 }),
  'page, after, by rating': (store) => store.page({ sort: 'rating', limit: 2, after: idOf(2) }),
  'page, before, with its position': (store) => store.page({ limit: 2, before: idOf(0), position: true }),
  'page, after an unknown agent': (store) => store.page({ limit: 2, after: idOf(9) }),
  'count, a website': (store) => store.count({ website: 'https://example.com' }),
  'count, filters': (store) => store.count({ category: 'vision', pricing: ['free'] }),
  'count, proved': (store) => store.count({ category: 'vision', proved: ['yes'] }),
  countByCategory: (store) => store.countByCategory(),
  'countFacets, a category': (store) => store.countFacets({ category: 'vision' }),
  'countFacets, all': (store) => store.countFacets({}),
  'countFacets, filters': (store) => store.countFacets({ pricing: ['free'], proved: ['yes'], since: '2026-01-02' }),
  'countFacets, a text without words': (store) => store.countFacets({ text: '!!!' }),
  'countFacets, a text': (store) => store.countFacets({ text: 'otter' }),
  'countFacets, a capability and a day': (store) => store.countFacets({ capability: 'plain', since: '2026-01-02' }),
  'countFacets, a text and a capability': (store) => store.countFacets({ text: 'otter', capability: 'plain' }),
  'latest, a capability': (store) => store.latest({ capability: 'plain', limit: 2 }),
  'latest, with other tools': (store) => store.latest({ changed: 'tools', limit: 2 }),
  'suggest, two characters': (store) => store.suggest('ot'),
  'suggest, more characters': (store) => store.suggest('plain'),
  'search, no words': (store) => store.search({ text: '!!!', limit: 2 }),
  'search, no words, by name': (store) => store.search({ text: '!!!', sort: 'name', limit: 2 }),
  'search, no match': (store) => store.search({ text: 'qx', limit: 2 }),
  'search, no match, by name': (store) => store.search({ text: 'qx', sort: 'name', limit: 2 }),
  'search, one match': (store) => store.search({ text: 'heron', limit: 2 }),
  'search, one match, by name, with its position': (store) =>
    store.search({ text: 'heron', sort: 'name', limit: 2, position: true }),
  'search, many matches': (store) => store.search({ text: 'ott', limit: 2 }),
  'search, many matches, a filter': (store) => store.search({ text: 'ott', pricing: ['free'], limit: 2 }),
  'search, many matches, proved': (store) => store.search({ text: 'ott', proved: ['yes'], limit: 2 }),
  'search, many matches, a filter without values': (store) => store.search({ text: 'ott', pricing: [], limit: 2 }),
  'search, many matches, a capability and a day': (store) =>
    store.search({ text: 'ott', capability: 'plain', since: '2026-01-02', limit: 2 }),
  'search, many matches, a capability, by name': (store) =>
    store.search({ text: 'ott', capability: 'plain', sort: 'name', limit: 2 }),
  'search, many matches, after': (store) => store.search({ text: 'ott', limit: 2, after: idOf(1) }),
  'search, many matches, before': (store) => store.search({ text: 'ott', limit: 2, before: idOf(1) }),
  'search, many matches, by name, after': (store) =>
    store.search({ text: 'ott', sort: 'name', limit: 2, after: idOf(1) }),
  'search, some of the words, by name': (store) => store.search({ text: 'heron otter', sort: 'name', limit: 2 }),
};

/** The calls of sitemaps, likewise. */
const monthCalls: Record<string, (store: AgentStore) => Promise<unknown>> = {
  'months, all': (store) => store.listMonths(),
  'months, the last change of each part': (store) => store.datePartsOf('2026-01', 2),
  'months, a part': async (store) => (await store.streamPart({ month: '2026-01', part: 2, size: 1 }))?.next(),
};

/** The calls of the MCP registry, likewise. */
const serverCalls: Record<string, (store: ServerStore) => Promise<unknown>> = {
  'servers, first': (store) => store.list({ limit: 2 }),
  'servers, after, of a version': (store) =>
    store.list({ limit: 2, after: { at: '2026-01-02T00:00:00.000Z', number: 2 }, version: '0.20260102.0' }),
  'servers, by name': (store) => store.find('example.registry/otter'),
  'servers of agents': (store) => store.ofAgents([idOf(1), idOf(2)]),
  'servers that changed since a time': (store) => store.list({ limit: 2, since: '2026-01-02T00:00:00.000Z' }),
};

describe.each(engines)('on $name', ({ name, open }) => {
  let database: TestDatabase;
  let log: QueryLog;

  beforeAll(async () => {
    database = await open();
    await createAgentStore(database.engine).load(agents);
    log = logQueries(database);
  });

  afterAll(async () => {
    log.close();
    await database.remove();
  });

  test('each list, count and search runs the queries of the reviewed file', async () => {
    const store = createAgentStore(log.engine, { now: () => Date.parse('2026-02-01') });
    // The first search reads the whole vocabulary, later ones only new agents.
    await store.search({ text: 'otter' });
    const blocks: string[] = [];
    for (const [call, run] of Object.entries({ ...calls, ...monthCalls })) {
      log.take();
      await run(store);
      blocks.push(`---- ${call}\n\n`, ...log.take().map((query) => `${query}\n\n`));
    }
    for (const [call, run] of Object.entries(serverCalls)) {
      await run(createServerStore(log.engine));
      blocks.push(`---- ${call}\n\n`, ...log.take().map((query) => `${query}\n\n`));
    }
    await expect(blocks.join('')).toMatchFileSnapshot(`__snapshots__/list-queries.${name}.sql`);
  });

  test.each([
    ...Object.entries(serverCalls).map(
      ([call, run]) =>
        [
          call,
          () => run(createServerStore(log.engine)),
          /SCAN (?!agents USING INDEX)|TEMP B-TREE FOR ORDER|(?<!Incremental )Sort {2}/,
        ] as const,
    ),
    // Agents are found by their ids, not among all that are served.
    [
      'servers of agents, by id',
      () => createServerStore(log.engine).ofAgents([idOf(1), idOf(2)]),
      /agents_served/,
    ] as const,
    // Sorts the agents that were listed at the same time.
    ...Object.entries(monthCalls).map(
      ([call, run]) => [call, () => run(createAgentStore(log.engine)), /(?:SCAN|SEARCH) agents USING INDEX/] as const,
    ),
  ])('%s: are read by indexes', async (_, run, slow) => {
    log.take();
    await run();
    const [statement = '', parameters = ''] = log.take()[0]?.split('\n-- ') ?? [];
    const explain = { sqlite: 'EXPLAIN QUERY PLAN', postgres: 'EXPLAIN' }[name];
    const plan = await database.engine.db.connection().execute(async (connection) => {
      // Reads a table of few rows by its index, and in its order, too, if there is one.
      if (name === 'postgres') await sql`SET enable_seqscan = off; SET enable_sort = off`.execute(connection);
      const query = CompiledQuery.raw(`${explain} ${statement}`, JSON.parse(`[${parameters}]`) as unknown[]);
      return JSON.stringify((await connection.executeQuery(query)).rows);
    });
    expect(plan).toMatch(/index/i);
    expect(plan).not.toMatch(slow);
    expect(plan).not.toMatch(/Seq Scan/);
  });

  test.each([
    ['otter', 1],
    ['heron otter beaver desk words', 1],
    ['an agent that plans otter ferries without heron or slack for my team', 1],
    ['hrone ottre beavre dseks', 1],
    // Agents with all words and agents with some are filtered by a query each.
    ['alternative to Otter for desks', 2],
    ['请帮我把会议记录翻译成英文', 1],
    ['heron otter beaver desk '.repeat(20), 1],
  ])('a search takes at most 15 queries, and few more with a filter or in another order: %s', async (text, more) => {
    const store = createAgentStore(log.engine);
    const counts: number[] = [];
    for (const list of [{}, { pricing: ['free'] as const }, { sort: 'name' as const }]) {
      await store.search({ text, limit: 2 });
      log.take();
      await store.search({ text, limit: 2, ...list });
      counts.push(log.take().length);
    }
    const [whole = 0, ...others] = counts;
    expect(whole).toBeLessThanOrEqual(15);
    for (const count of others) expect(count).toBeLessThanOrEqual(whole + more);
  });

  test('a filter of a search takes as many queries for many agents with some of the words as for few', async () => {
    const store = createAgentStore(log.engine);
    const search = async () => {
      await store.search({ text: 'heron otter', limit: 1 });
      log.take();
      const found = await store.search({ text: 'heron otter', pricing: ['free'], limit: 1 });
      return { total: Number(found?.total), queries: log.take().length };
    };
    const few = await search();
    await store.load(Array.from({ length: 30 }, () => makeAgent({ name: 'Heron', description: 'x' })));
    const many = await search();
    expect(many.total).toBe(few.total + 30);
    // PostgreSQL may look among the latest agents first.
    expect(many.queries).toBeLessThan(few.queries + 5);
  });
});
