import { randomUUID } from 'node:crypto';
import { agentSchema, categoryIds, type Agent, type ListedAgent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { BATCH_SIZE, CHUNK_SIZE } from './list-pages.ts';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';

const ids = ['11111111', '22222222', '33333333', '44444444'].map((start) => `${start}-0000-4000-8000-000000000000`);

const full: Partial<Agent> = {
  name: '名前 "quoted" \\ 🤖',
  description: 'One line.\nAnother, with a tab\t.',
  category: 'vision',
  capabilities: ['C++', 'commas, too', 'élan'],
  exampleTasks: ['Name the "cracks", and count them.', 'Übersetze diesen Satz, bitte.'],
  website: 'https://example.com/?a=1&b=2',
  pricingModel: 'enterprise',
  apiAccess: 'planned',
};

const noCounts = Object.fromEntries(categoryIds.map((id) => [id, 0]));

describe.each(engines)('the agent store on $name', ({ open }) => {
  let database: TestDatabase;
  let store: AgentStore;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  beforeEach(() => {
    store = createAgentStore(database.engine);
  });

  afterAll(() => database.remove());

  describe('lists', () => {
    test('a new store has an empty list', async () => {
      expect(await store.list()).toEqual([]);
      expect(await store.list({ category: 'chatbot' })).toEqual([]);
      expect(await store.count()).toBe(0);
      expect(await store.countByCategory()).toEqual(noCounts);
      expect(await readChunks(store.stream())).toEqual([]);
      expect(await store.page({ limit: 1 })).toEqual({ agents: [], total: 0, hasMore: false, hasPrevious: false });
    });

    test('lists are newest first, then by id, in any insertion order', async () => {
      const [oldest, twinA, twinB, newest] = [
        makeAgent({ id: ids[1], createdAt: '2025-12-31T23:59:59.999Z' }),
        makeAgent({ id: ids[0], createdAt: '2026-01-01T00:00:00.000Z' }),
        makeAgent({ id: ids[2], createdAt: '2026-01-01T00:00:00.000Z' }),
        makeAgent({ id: ids[3], createdAt: '2026-01-01T00:00:00.001Z' }),
      ];
      await store.load([twinB, oldest, newest, twinA]);
      expect(await store.list()).toEqual([newest, twinA, twinB, oldest]);
      expect(await store.list({ category: 'automation' })).toEqual([newest, twinA, twinB, oldest]);
    });

    test('the list of a category has only agents of that category', async () => {
      const agents = categoryIds.map((category) => makeAgent({ category }));
      await store.load(agents);
      for (const agent of agents) expect(await store.list({ category: agent.category })).toEqual([agent]);
    });
  });

  describe('streams', () => {
    test('stream() yields the full list in non-empty chunks when creation times are equal', async () => {
      await store.load(makeAgents(2 * BATCH_SIZE));
      const chunks = await readChunks(store.stream());
      expect(chunks.map(({ length }) => length)).toEqual(Array((2 * BATCH_SIZE) / CHUNK_SIZE).fill(CHUNK_SIZE));
      expect(chunks.flat()).toEqual(newestFirst(chunks.flat()));
      expect(new Set(chunks.flat().map(({ id }) => id)).size).toBe(2 * BATCH_SIZE);
    });

    test('stream() of a category yields only agents of that category', async () => {
      await store.load([
        ...makeAgents(BATCH_SIZE + 1),
        ...makeAgents(BATCH_SIZE).map((agent) => ({ ...agent, category: 'vision' as const })),
      ]);
      const chunks = await readChunks(store.stream({ category: 'automation' }));
      expect(chunks.map(({ length }) => length)).toEqual([...Array(BATCH_SIZE / CHUNK_SIZE).fill(CHUNK_SIZE), 1]);
      expect(chunks.flat()).toEqual(newestFirst(chunks.flat()).filter(({ category }) => category === 'automation'));
    });

    test('stream() yields each agent once while others are added at both ends', async () => {
      await store.load(makeAgents(BATCH_SIZE + 1));
      const before = await store.list();
      const oldest = makeAgent({ createdAt: '2020-01-01T00:00:00.000Z' });
      const stream = store.stream();
      const first = await stream.next();
      await store.register(makeNewAgent());
      await store.load([oldest]);
      const rest = await readChunks(stream);
      expect([...(first.value ?? []), ...rest.flat()]).toEqual([...before, oldest]);
    });

    test.each([
      ['from the front to the end', 'Agent 000', 'Zebra'],
      ['from the end to the front', 'Agent 200', 'Aardvark'],
    ])('stream() by name yields each agent once while one is renamed %s', async (_, name, newName) => {
      const agents = Array.from({ length: BATCH_SIZE + 1 }, (_unused, index) =>
        makeAgent({ name: `Agent ${String(index).padStart(3, '0')}` }),
      );
      await store.load(agents);
      const stream = store.stream({ sort: 'name' });
      const first = await stream.next();
      const renamed = agents.find((agent) => agent.name === name) as Agent;
      await createOperatorStore(database.engine).edit({ ids: new Set([renamed.id]) }, { name: newName });
      const listed = [...(first.value ?? []), ...(await readChunks(stream)).flat()];
      expect(listed.map(({ id }) => id)).toEqual(agents.map(({ id }) => id));
    });

    test('stream() by name leaves out an agent that is removed meanwhile', async () => {
      const agents = Array.from({ length: BATCH_SIZE + 2 }, (_unused, index) =>
        makeAgent({ name: `Agent ${String(index).padStart(3, '0')}` }),
      );
      await store.load(agents);
      const stream = store.stream({ sort: 'name' });
      const first = await stream.next();
      await createOperatorStore(database.engine).withdraw({ ids: new Set([agents[BATCH_SIZE]?.id ?? '']) });
      const listed = [...(first.value ?? []), ...(await readChunks(stream)).flat()];
      expect(listed).toEqual(agents.toSpliced(BATCH_SIZE, 1));
    });

    test('stream() yields to the event loop between two chunks', async () => {
      await store.load(makeAgents(CHUNK_SIZE + 1));
      const stream = store.stream();
      await stream.next();
      let hadItsTurn = false;
      setImmediate(() => (hadItsTurn = true));
      await stream.next();
      expect(hadItsTurn).toBe(true);
    });

    /** Agents with few creation times, so that a chunk ends between agents with the same time. */
    function makeAgents(count: number): Agent[] {
      return Array.from({ length: count }, (_, index) =>
        makeAgent({ createdAt: `2026-01-0${1 + (index % 3)}T00:00:00.000Z` }),
      );
    }

    function newestFirst(agents: ListedAgent[]): ListedAgent[] {
      const key = ({ createdAt, id }: ListedAgent) => `${9e15 - Date.parse(createdAt)} ${id}`;
      return agents.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
    }
  });

  describe('pages', () => {
    const sameMoment = () => Array.from({ length: 7 }, () => makeAgent());

    test('pages contain each agent of the full list once when creation times are equal', async () => {
      await store.load([...sameMoment(), makeAgent({ createdAt: '2026-01-02T00:00:00.000Z' }), ...sameMoment()]);
      const whole = await store.list();
      for (const limit of [1, 4, 5, 14, 15, 16]) {
        expect(await walk(limit)).toEqual(whole);
      }
    });

    test('paging continues unchanged while an agent is added at the front', async () => {
      await store.load(sameMoment());
      const whole = await store.list();
      const walked = await walk(2, () => store.register(makeNewAgent()));
      expect(walked).toEqual(whole);
    });

    test('a page has the total and whether more agents follow', async () => {
      await store.load(sameMoment());
      const first = await store.page({ limit: 6 });
      expect(first).toMatchObject({ total: 7, hasMore: true });
      expect(await store.page({ limit: 6, after: first?.agents.at(-1)?.id })).toMatchObject({
        agents: [{}],
        total: 7,
        hasMore: false,
      });
      expect(await store.page({ limit: 7 })).toMatchObject({ hasMore: false });
    });

    test('the page after the last agent is empty', async () => {
      await store.load(sameMoment());
      const last = (await store.list()).at(-1);
      expect(await store.page({ limit: 5, after: last?.id })).toEqual({
        agents: [],
        total: 7,
        hasMore: false,
        hasPrevious: true,
      });
    });

    test('pages of a category contain its list and its total', async () => {
      const others = sameMoment().map((agent) => ({ ...agent, category: 'vision' as const }));
      await store.load([...sameMoment(), ...others]);
      const first = await store.page({ category: 'vision', limit: 5 });
      expect(first).toMatchObject({ total: 7, hasMore: true });
      const second = await store.page({ category: 'vision', limit: 5, after: first?.agents.at(-1)?.id });
      expect(second).toMatchObject({ total: 7, hasMore: false });
      expect([...(first?.agents ?? []), ...(second?.agents ?? [])]).toEqual(await store.list({ category: 'vision' }));
    });

    test('a page of a category after an agent of another category is undefined', async () => {
      const agent = makeAgent({ category: 'vision' });
      await store.load([agent, makeAgent()]);
      expect(await store.page({ category: 'automation', limit: 5, after: agent.id })).toBeUndefined();
    });

    test('a page after an unknown agent is undefined', async () => {
      expect(await store.page({ limit: 5, after: randomUUID() })).toBeUndefined();
    });

    async function walk(limit: number, betweenPages = async (): Promise<unknown> => undefined): Promise<ListedAgent[]> {
      const walked: ListedAgent[] = [];
      for (let hasMore = true; hasMore && walked.length < 50;) {
        const page = await store.page({ limit, after: walked.at(-1)?.id });
        expect(page?.agents.length).toBeLessThanOrEqual(limit);
        walked.push(...(page?.agents ?? []));
        hasMore = page?.hasMore ?? false;
        await betweenPages();
      }
      return walked;
    }
  });

  describe('counts', () => {
    test('agents are counted per category and in total', async () => {
      await store.load([makeAgent(), makeAgent({ category: 'vision' }), makeAgent()]);
      await store.register(makeNewAgent({ category: 'language' }));
      expect(await store.countByCategory()).toEqual({ ...noCounts, automation: 2, vision: 1, language: 1 });
      expect(await store.count()).toBe(4);
      expect(await store.count({ category: 'automation' })).toBe(2);
      expect(await store.count({ category: 'chatbot' })).toBe(0);
    });

    test('counts are correct when another program writes agents', async () => {
      const [kept, removed, moved] = [makeAgent(), makeAgent(), makeAgent()];
      await store.load([kept, removed, moved]);
      await sql`UPDATE agents SET category = 'vision' WHERE id = ${moved.id}`.execute(database.engine.db);
      await sql`DELETE FROM agents WHERE id = ${removed.id}`.execute(database.engine.db);
      expect(await store.countByCategory()).toEqual({ ...noCounts, automation: 1, vision: 1 });
    });

    test('counts do not change when a write stores nothing', async () => {
      const agent = makeAgent();
      await store.load([agent]);
      await expect(store.load([makeAgent(), agent])).rejects.toThrow();
      expect(await store.count()).toBe(1);
    });

    test('counts are correct after concurrent registrations', async () => {
      const categories = Array.from({ length: 20 }, (_, index) => categoryIds[index % 2]);
      await Promise.all(categories.map((category) => store.register(makeNewAgent({ category }))));
      expect(await store.countByCategory()).toEqual({ ...noCounts, chatbot: 10, automation: 10 });
    });
  });

  describe('finding', () => {
    test('find() returns every field of the agent as it was stored', async () => {
      const agent = makeAgent({ ...full, rating: 4.7, reviewCount: 123 });
      await store.load([makeAgent(), agent, makeAgent()]);
      expect(await store.find(agent.id)).toEqual(agent);
    });

    test('find() returns undefined for an unknown id', async () => {
      await store.load([makeAgent()]);
      expect(await store.find(randomUUID())).toBeUndefined();
    });
  });

  describe('registering', () => {
    test('register() sets an id, the current time, no rating and no reviews', async () => {
      const before = new Date().toISOString();
      const { agent } = await store.register(makeNewAgent(full));
      const after = new Date().toISOString();
      expect(agentSchema.strict().parse(agent)).toEqual({
        ...makeNewAgent(full),
        id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
        rating: 0,
        reviewCount: 0,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect([before, agent.createdAt, after].toSorted()).toEqual([before, agent.createdAt, after]);
    });

    test('register() ignores fields that only the server sets', async () => {
      const sent = { ...makeNewAgent(), id: ids[0], rating: 5, reviewCount: 9, createdAt: '2000-01-01T00:00:00.000Z' };
      const { agent } = await store.register(makeNewAgent(sent));
      expect(agent.rating).toBe(0);
      expect(agent.reviewCount).toBe(0);
      expect(agent.createdAt).not.toBe(sent.createdAt);
    });

    test('two registrations with the same name store and count two agents', async () => {
      const first = await store.register(makeNewAgent());
      const second = await store.register(makeNewAgent());
      expect(first.agent.id).not.toBe(second.agent.id);
      expect(await store.list()).toHaveLength(2);
      expect(await store.count()).toBe(2);
    });

    test('a registered agent is in every read immediately and after a restart', async () => {
      const { agent } = await store.register(makeNewAgent(full));
      const reads = async () => [
        await store.list(),
        await store.list({ category: 'vision' }),
        (await store.search({ text: 'élan' }))?.agents,
        [await store.find(agent.id)],
      ];
      expect(await reads()).toEqual([[agent], [agent], [agent], [agent]]);
      await database.reopen();
      store = createAgentStore(database.engine);
      expect(await reads()).toEqual([[agent], [agent], [agent], [agent]]);
    });

    test('concurrent registrations are all stored', async () => {
      const agents = await Promise.all(Array.from({ length: 20 }, () => store.register(makeNewAgent())));
      expect((await store.list()).map(({ id }) => id).toSorted()).toEqual(
        agents.map(({ agent }) => agent.id).toSorted(),
      );
    });
  });

  describe('idempotency keys', () => {
    const newAgent = makeNewAgent(full);

    test('every call with the same key returns the agent of the first call, and only one is stored', async () => {
      const first = await store.registerOnce('key', newAgent);
      expect(first?.agent).toMatchObject(newAgent);
      expect(await store.registerOnce('key', newAgent)).toEqual(first);
      expect(await store.list()).toEqual([first?.agent]);
      expect((await store.search({ text: 'élan' }))?.agents).toEqual([first?.agent]);
    });

    test('a repeated call returns the first agent even after it was removed', async () => {
      const first = await store.registerOnce('key', newAgent);
      await database.engine.db.updateTable('agents').set({ rating: 4.5, name: 'Renamed' }).execute();
      expect(await store.registerOnce('key', newAgent)).toEqual(first);
      await database.engine.db.deleteFrom('agents').execute();
      expect(await store.registerOnce('key', newAgent)).toEqual(first);
      expect(await store.count()).toBe(0);
    });

    test.each<Partial<Agent>>([{ name: 'Other' }, { capabilities: ['C++'] }, { website: null }, { apiAccess: 'yes' }])(
      'a used key with an agent that differs in %j returns undefined and stores nothing',
      async (fields) => {
        const first = await store.registerOnce('key', newAgent);
        expect(await store.registerOnce('key', { ...newAgent, ...fields })).toBeUndefined();
        expect(await store.list()).toEqual([first?.agent]);
      },
    );

    test('keys are compared exactly, case included', async () => {
      for (const key of ['key', 'KEY', 'k'.repeat(255), `';--`, '"key"']) await store.registerOnce(key, newAgent);
      expect(await store.count()).toBe(5);
    });

    test('concurrent calls with one key store one agent', async () => {
      const agents = await Promise.all(Array.from({ length: 12 }, () => store.registerOnce('key', newAgent)));
      expect(await store.list()).toEqual([agents[0]?.agent]);
      for (const agent of agents) expect(agent).toEqual(agents[0]);
    });

    test('concurrent calls with known keys, new keys and no key get their own agents', async () => {
      const known = await store.registerOnce('known', newAgent);
      const other = makeNewAgent({ name: 'Other' });
      const [again, wrong, first, same, differs, free] = await Promise.all([
        store.registerOnce('known', newAgent),
        store.registerOnce('known', other),
        store.registerOnce('new', other),
        store.registerOnce('new', other),
        store.registerOnce('new', newAgent),
        store.register(other),
      ]);
      expect([again, wrong, same, differs]).toEqual([known, undefined, first, undefined]);
      expect(new Set((await store.list()).map(({ id }) => id))).toEqual(
        new Set([known?.agent.id, first?.agent.id, free.agent.id]),
      );
    });

    test('a failed registration stores no key, so it can be sent again', async () => {
      await sql`ALTER TABLE agents RENAME TO elsewhere`.execute(database.engine.db);
      await expect(store.registerOnce('key', newAgent)).rejects.toThrow();
      await sql`ALTER TABLE elsewhere RENAME TO agents`.execute(database.engine.db);
      const registered = await store.registerOnce('key', newAgent);
      expect(await store.list()).toEqual([registered?.agent]);
    });

    test('each stored agent is reported once, even if the clocks of processes differ', async () => {
      let registered = 0;
      const open = (delay: number) =>
        createAgentStore(database.engine, {
          now: () => Date.now() + delay,
          onRegistered: () => (registered += 1),
        });
      const [late, early] = [open(0), open(-3_600_000)];
      const first = await late.registerOnce('key', newAgent);
      expect(await early.registerOnce('key', newAgent)).toEqual(first);
      expect(registered).toBe(1);
      await Promise.all(['other', 'other'].map((key) => early.registerOnce(key, newAgent)));
      await early.register(newAgent);
      expect(registered).toBe(3);
    });

    test('a key is valid for 24 hours, also after a restart', async () => {
      let now = Date.parse('2026-03-31T12:00:00.000Z');
      const open = () => createAgentStore(database.engine, { now: () => now });
      const first = await open().registerOnce('key', newAgent);
      await open().registerOnce('another', newAgent);
      now += 86_399_999;
      await database.reopen();
      expect(await open().registerOnce('key', newAgent)).toEqual(first);
      now += 1;
      const second = await open().registerOnce('key', newAgent);
      expect(second?.agent.id).not.toBe(first?.agent.id);
      expect(await open().registerOnce('key', newAgent)).toEqual(second);
      expect(await open().count()).toBe(3);
    });
  });

  describe('loading', () => {
    test('load() with a duplicate id stores nothing, in lists and in search', async () => {
      const kept = makeAgent({ name: 'Kept' });
      await store.load([kept]);
      await expect(store.load([makeAgent({ name: 'Lost' }), makeAgent({ id: kept.id })])).rejects.toThrow();
      expect(await store.list()).toEqual([kept]);
      expect((await store.search({ text: 'lost' }))?.agents).toEqual([]);
    });

    test('load() of no agents does nothing', async () => {
      await store.load([]);
      expect(await store.list()).toEqual([]);
    });
  });
});

async function readChunks(stream: AsyncIterable<ListedAgent[]>): Promise<ListedAgent[][]> {
  const chunks: ListedAgent[][] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}
