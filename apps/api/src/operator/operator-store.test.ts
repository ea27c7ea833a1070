import type { Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { mergeSegments } from '../db/sqlite/token-index.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createViewStore } from '../stats/view-store.ts';
import type { AgentSelection } from '../agents/select-agents.ts';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { createOperatorStore, type OperatorStore } from './operator-store.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { unlistedStates } from '../db/states.ts';
import { runsAll } from '../testing/tier.ts';

const byId = (...ids: string[]): AgentSelection => ({ ids: new Set(ids) });
const named = ({ id, name }: Agent) => ({ id, name });
const unknownId = '00000000-0000-4000-8000-000000000000';

describe.each(engines)('the operator store on $name', ({ open }) => {
  let database: TestDatabase;
  let agents: AgentStore;
  let operator: OperatorStore;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  beforeEach(() => {
    agents = createAgentStore(database.engine);
    operator = createOperatorStore(database.engine);
  });

  afterAll(() => database.remove());

  /** All records but the changes, which no operation undoes. */
  async function read(): Promise<RegistryRecord[]> {
    return (await collect(operator.read())).filter(({ kind }) => kind !== 'change');
  }

  async function agentsOf(...selected: Parameters<OperatorStore['stream']>): Promise<Agent[]> {
    return (await collect(operator.stream(...selected))).map(({ agent }) => agent);
  }

  async function search(text: string): Promise<string[] | undefined> {
    return (await agents.search({ text }))?.agents.map(({ id }) => id);
  }

  describe('hiding', () => {
    const otter = makeAgent({ name: 'SwiftOtter', capabilities: ['rivers'], category: 'vision' });
    const other = makeAgent({ name: 'Otter Two', category: 'vision' });
    const later = makeAgent({ name: 'Otter Three', category: 'vision' });

    beforeEach(async () => {
      for (const agent of [otter, other, later]) await agents.load([agent]);
    });

    test('hide() removes an agent from every list, search and count, and stores the reason and the time', async () => {
      const begin = new Date().toISOString();
      const { agents: hidden, hiddenAt } = await operator.hide(byId(otter.id), 'Spam');
      expect(hidden).toEqual([named(otter)]);
      expect(hiddenAt >= begin).toBe(true);
      expect(await agents.find(otter.id)).toBeUndefined();
      expect(await agents.list()).not.toContainEqual(otter);
      expect(await agents.list({ category: 'vision' })).not.toContainEqual(otter);
      expect(await agents.page({ limit: 10 })).toMatchObject({ total: 2, hasMore: false });
      expect(await agents.page({ limit: 10, after: otter.id })).toBeUndefined();
      expect(await agents.count()).toBe(2);
      expect(await agents.countByCategory()).toMatchObject({ vision: 2 });
      expect(await search('otter')).toEqual([other.id, later.id]);
      expect(await search('rivers')).toEqual([]);
      expect(await collect(operator.stream({}, unlistedStates))).toMatchObject([
        { state: 'hidden', agent: otter, reason: 'Spam', since: hiddenAt },
      ]);
      expect(await operator.countUnlisted('hidden')).toBe(1);
    });

    test('hide() removes spelling corrections that would find nothing', async () => {
      expect(await agents.search({ text: 'rivars' })).toMatchObject({ total: 1, correction: 'rivers' });
      await operator.hide(byId(otter.id), 'Spam');
      expect(await agents.search({ text: 'rivars' })).toMatchObject({ agents: [], total: 0, correction: undefined });
    });

    test('show() restores an agent unchanged, at the same position', async () => {
      const before = [await agents.list(), await search('otter'), await search('rivers'), await read()];
      await operator.hide(byId(otter.id), 'Spam');
      await database.reopen();
      operator = createOperatorStore(database.engine);
      agents = createAgentStore(database.engine);
      expect(await operator.unhide(byId(otter.id))).toEqual([named(otter)]);
      expect([await agents.list(), await search('otter'), await search('rivers'), await read()]).toEqual(before);
      expect(await agents.countByCategory()).toMatchObject({ vision: 3 });
      expect(await operator.countUnlisted('hidden')).toBe(0);
      expect((await agents.register(makeNewAgent())).agent.id).not.toBe(otter.id);
    });

    test('an agent can be hidden and shown repeatedly', async () => {
      for (let round = 0; round < 3; round += 1) {
        expect((await operator.hide(byId(otter.id), `Round ${round}`)).agents).toHaveLength(1);
        expect(await search('swiftotter')).toEqual([]);
        expect(await operator.unhide(byId(otter.id))).toEqual([named(otter)]);
        expect(await search('swiftotter')).toEqual([otter.id]);
      }
    });

    test('hide() ignores an agent that is unknown or already hidden', async () => {
      await operator.hide(byId(otter.id), 'Spam');
      const before = await read();
      expect(await operator.hide(byId(otter.id, unknownId), 'Again')).toMatchObject({ agents: [] });
      expect(await operator.unhide(byId(other.id, unknownId))).toEqual([]);
      expect(await read()).toEqual(before);
    });

    test('a repeated registration does not show a hidden agent', async () => {
      const { agent: first } = (await agents.registerOnce('key', makeNewAgent({ name: 'Sent twice' })))!;
      await operator.hide(byId(first.id), 'Spam');
      expect((await agents.registerOnce('key', makeNewAgent({ name: 'Sent twice' })))?.agent).toEqual(first);
      expect(await agents.find(first.id)).toBeUndefined();
      expect(await agents.count()).toBe(3);
    });
  });

  describe('selections', () => {
    const casino = makeAgent({
      name: 'Lucky CASINO',
      website: 'https://play.spam.example/a',
      contactEmail: 'One@Spam.example',
      createdAt: '2026-11-20T10:00:00.000Z',
    });
    const bets = makeAgent({
      name: 'Bets',
      description: 'The best ｃａs\u200Biｎｏ bots.',
      website: 'https://spam.example./bets',
      contactEmail: 'two@spam.example',
      createdAt: '2026-11-21T10:00:00.000Z',
    });
    const honest = makeAgent({
      name: 'Honest',
      capabilities: ['casino audits'],
      website: 'https://notspam.example',
      contactEmail: 'owner@notspam.example',
      createdAt: '2026-11-22T10:00:00.000Z',
    });
    const plain = makeAgent({ name: 'Plain', website: null, createdAt: '2026-11-23T10:00:00.000Z' });
    const all = [casino, bets, honest, plain];

    beforeEach(() => agents.load(all));

    test.each<[AgentSelection, Agent[]]>([
      [{}, all],
      [{ text: 'Casino' }, [casino, bets, honest]],
      [{ text: 'ＣＡＳＩＮÓ' }, [casino, bets, honest]],
      [{ text: '%' }, []],
      [{ host: 'spam.example' }, [casino, bets]],
      [{ host: 'play.spam.example' }, [casino]],
      [{ email: 'one@spam.EXAMPLE' }, [casino]],
      [{ email: '@spam.example' }, [casino, bets]],
      [{ since: bets.createdAt }, [bets, honest, plain]],
      [{ since: bets.createdAt, text: 'casino' }, [bets, honest]],
      [{ ...byId(casino.id, plain.id, unknownId) }, [casino, plain]],
      [{ ...byId(casino.id, plain.id), text: 'casino' }, [casino]],
      [byId(), []],
      [{ hiddenAt: '2026-11-23T10:00:00.000Z' }, []],
    ])('%j selects the same agents for hide(), show() and the lists', async (selection, expected) => {
      expect(await agentsOf(selection, ['listed'])).toEqual(expected);
      const { agents: hidden, hiddenAt } = await operator.hide(selection, 'Spam');
      expect(hidden).toEqual(expected.map(named));
      expect(await agents.count()).toBe(all.length - expected.length);
      expect(await agentsOf(selection, unlistedStates)).toEqual(expected);
      expect(await operator.unhide({ ...selection, hiddenAt })).toEqual(expected.map(named));
      expect(await agentsOf({}, ['listed'])).toEqual(all);
    });

    test('agents that were hidden together are shown together, the others stay hidden', async () => {
      await operator.hide(byId(bets.id), 'Other');
      // A later time than that of the first hiding.
      const [first] = await collect(operator.stream({}, unlistedStates));
      await expect.poll(() => new Date().toISOString()).not.toBe(first!.since);
      const { agents: hidden, hiddenAt } = await operator.hide({ text: 'casino' }, 'Spam');
      expect(hidden).toEqual([casino, honest].map(named));
      expect(await operator.unhide({ hiddenAt })).toEqual(hidden);
      expect(await agentsOf({}, unlistedStates)).toEqual([bets]);
    });

    test.runIf(runsAll)(
      'agents of several statements are hidden and shown in one transaction, with the same search index before and after',
      async () => {
        const many = Array.from({ length: 520 }, (_, index) => makeAgent({ name: `Casino word${index % 350}` }));
        await agents.load(many);
        const look = async () => [
          (await agents.search({ text: 'casino', limit: 5 }))?.total,
          await search('word349'),
          await agents.countByCategory(),
          await database.engine.db.selectFrom('agents').select(['seq', 'terms']).orderBy('seq').execute(),
        ];
        const before = await look();
        const other = await openDatabase(database.url);
        const { agents: hidden } = await createOperatorStore(other.engine).hide({ text: 'casino' }, 'Spam');
        expect(hidden).toHaveLength(523);
        expect(await search('casino')).toEqual([]);
        expect(await search('word349')).toEqual([]);
        expect(await agents.list()).toEqual([plain]);
        expect(await createOperatorStore(other.engine).unhide({ text: 'casino' })).toHaveLength(523);
        await other.engine.close();
        expect(await look()).toEqual(before);
      },
    );

    test('a hide() that fails at its end hides no agent', async () => {
      const many = Array.from({ length: 60 }, (_, index) => makeAgent({ name: `Casino ${index}` }));
      await agents.load(many);
      const failing = createOperatorStore({
        ...database.engine,
        tokens: { ...database.engine.tokens, remove: () => Promise.reject(new Error('It fails.')) },
      });
      await expect(failing.hide({ text: 'casino' }, 'Spam')).rejects.toThrow('It fails.');
      expect(await agents.count()).toBe(64);
      expect(await operator.countUnlisted('hidden')).toBe(0);
      expect((await agents.search({ text: 'casino' }))?.total).toBe(63);
    });

    test('hide() from two processes at once hides each agent once', async () => {
      const many = Array.from({ length: 60 }, (_, index) => makeAgent({ name: `Bingo ${index}` }));
      await agents.load(many);
      const other = await openDatabase(database.url);
      const stores = [operator, createOperatorStore(other.engine)];
      const results = await Promise.all(stores.map((store) => store.hide({ text: 'bingo' }, 'Spam')));
      await other.engine.close();
      expect(results.flatMap(({ agents: hidden }) => hidden)).toHaveLength(60);
      expect(await agents.count()).toBe(all.length);
      expect(await operator.unhide({ text: 'bingo' })).toHaveLength(60);
      expect((await agents.search({ text: 'bingo' }))?.total).toBe(60);
    });
  });

  describe('erasing', () => {
    test('erase() removes agents, hidden ones too, with their keys and search terms', async () => {
      const { agent: registered } = (await agents.registerOnce('key', makeNewAgent({ name: 'Visible Wombat' })))!;
      const { agent: hidden } = (await agents.registerOnce('other', makeNewAgent({ name: 'Hidden Numbat' })))!;
      const { agent: kept } = (await agents.registerOnce('kept', makeNewAgent({ name: 'Kept' })))!;
      await operator.hide(byId(hidden.id), 'Spam');
      expect(await operator.erase(byId(registered.id, hidden.id, unknownId))).toEqual([registered, hidden].map(named));
      expect(await read()).toEqual([
        { kind: 'agent', agent: kept },
        { kind: 'registration', key: 'kept', agent: kept, createdAt: kept.createdAt },
      ]);
      for (const text of ['wombat', 'numbat', 'wombet']) expect(await search(text)).toEqual([]);
      expect(await agents.countByCategory()).toMatchObject({ automation: 1 });
      expect(await operator.unhide(byId(hidden.id))).toEqual([]);
      // The key is free again.
      expect(await agents.registerOnce('key', makeNewAgent({ name: 'Another' }))).toMatchObject({
        agent: { name: 'Another' },
      });
    });
  });

  describe('adding', () => {
    const known = makeAgent({ name: 'Known' });
    const hidden = makeAgent({ name: 'Hidden' });
    const added = makeAgent({ name: 'Added', rating: 4.5, reviewCount: 7 });

    beforeEach(async () => {
      await agents.load([known, hidden]);
      await operator.hide(byId(hidden.id), 'Spam');
    });

    test('add() stores complete agents and skips taken ids', async () => {
      const batch = [
        { ...known, name: 'Changed' },
        added,
        { ...hidden, name: 'Changed' },
        { ...added, name: 'Second' },
      ];
      expect(await operator.add(batch)).toEqual(['taken', 'added', 'hidden', 'taken']);
      expect(await agents.find(added.id)).toEqual(added);
      expect(await search('added')).toEqual([added.id]);
      expect(await search('changed')).toEqual([]);
      expect(await agents.count()).toBe(2);
      expect(await operator.add([hidden])).toEqual(['hidden']);
    });

    test.each(['resolves to false', 'rejects'])('addTogether() stores nothing when its callback %s', async (how) => {
      const before = await read();
      const adding = operator.addTogether(async (add) => {
        expect(await add([added])).toEqual(['added']);
        if (how === 'rejects') throw new Error('It fails.');
        return false;
      });
      const failure = await adding.then(
        () => 'none',
        (reason: Error) => reason.message,
      );
      expect(failure).toBe(how === 'rejects' ? 'It fails.' : 'none');
      expect(await read()).toEqual(before);
      expect(await search('added')).toEqual([]);
      expect((await agents.register(makeNewAgent())).agent.name).toBe('Plain Agent');
    });

    test('addTogether() stores all agents when its callback resolves to true', async () => {
      await operator.addTogether(async (add) => {
        await add([added]);
        await add([makeAgent({ name: 'Another' })]);
        return true;
      });
      expect(await agents.count()).toBe(3);
      expect(await agents.countByCategory()).toMatchObject({ automation: 3 });
    });
  });

  describe('reading records', () => {
    test.runIf(runsAll)('read() yields a snapshot in insertion order during writes', async () => {
      const many = Array.from({ length: 510 }, (_, index) => makeAgent({ name: `Agent ${index}` }));
      await operator.add(many);
      for (const index of [0, 7, 505]) await operator.hide(byId(many[index]!.id), 'Spam');
      await createViewStore(database.engine).add(new Map([['2026-11-20', 12]]));
      const { agent: sent } = (await agents.registerOnce('key', makeNewAgent()))!;

      // Another process, such as the command line.
      const other = await openDatabase(database.url);
      const reading = operator.read();
      const records = [(await reading.next()).value as RegistryRecord];
      await createAgentStore(other.engine).register(makeNewAgent({ name: 'Meanwhile' }));
      await createOperatorStore(other.engine).hide(byId(many[509]!.id), 'Meanwhile');
      await other.engine.close();
      records.push(...(await collect(reading)));

      const stored = records.flatMap((record) =>
        'agent' in record && record.kind !== 'registration' ? record.agent : [],
      );
      expect(stored).toEqual([...many, sent]);
      expect(records.flatMap((record) => (record.kind === 'hidden' ? record.agent : []))).toEqual([
        many[0],
        many[7],
        many[505],
      ]);
      expect(records.slice(-2)).toEqual([
        { kind: 'views', day: '2026-11-20', views: 12 },
        { kind: 'registration', key: 'key', agent: sent, createdAt: sent.createdAt },
      ]);
      expect(await agents.count()).toBe(508);
    });
  });

  describe('replacing records', () => {
    const kept = [
      makeAgent({ name: 'Otter One' }),
      makeAgent({ name: 'Otter Two' }),
      makeAgent({ name: 'Otter Three' }),
    ];

    test('replace() restores exactly the records that were read, with counts and search', async () => {
      for (const agent of kept) await agents.load([agent]);
      await operator.hide(byId(kept[1]!.id), 'Spam');
      await agents.registerOnce('key', makeNewAgent());
      await createViewStore(database.engine).add(new Map([['2026-11-20', 12]]));
      const records = await read();
      const before = [await agents.list(), await search('otter'), await agents.countByCategory()];

      await operator.unhide(byId(kept[1]!.id));
      await operator.hide(byId(kept[0]!.id), 'Other');
      await agents.load([makeAgent({ name: 'Otter Four', category: 'vision' })]);
      await operator.hide(byId((await agents.register(makeNewAgent({ category: 'chatbot' }))).agent.id), 'Other');
      await agents.registerOnce('other key', makeNewAgent());
      await createViewStore(database.engine).add(new Map([['2026-11-21', 1]]));

      await operator.replace(iterate(records));
      expect(await read()).toEqual(records);
      expect([await agents.list(), await search('otter'), await agents.countByCategory()]).toEqual(before);
      expect(await search('four')).toEqual([]);
      expect(await operator.unhide(byId(kept[1]!.id))).toEqual([named(kept[1]!)]);
      expect(await search('otter')).toEqual(kept.map(({ id }) => id));
      expect((await agents.register(makeNewAgent({ name: 'Otter Five' }))).agent.name).toBe('Otter Five');
      expect(await search('otter')).toHaveLength(4);
      expect(await agents.countByCategory()).toMatchObject({ automation: 5, vision: 0, chatbot: 0 });
    });

    test('a failed replace() changes nothing', async () => {
      await agents.load(kept);
      const before = await read();
      async function* failing(): AsyncGenerator<RegistryRecord> {
        yield { kind: 'agent', agent: makeAgent({ name: 'New' }) };
        yield { kind: 'views', day: '2026-11-20', views: 12 };
        throw new Error('It fails.');
      }
      await expect(operator.replace(failing())).rejects.toThrow('It fails.');
      expect(await read()).toEqual(before);
      expect(await search('otter')).toHaveLength(3);
    });
  });
});

test('erase() leaves no byte of an agent in a SQLite file and its log, while others have it open', async () => {
  const database = await engines[0].open();
  const file = database.url.replace('file:', '');
  const texts = {
    contactEmail: 'mavis@person.example',
    description: 'xylographquokka',
    capabilities: ['Vexillumnarwhal'],
  };
  const traces = ['mavis@person', 'xylographquokka', 'vexillumnarwhal'];
  const agents = createAgentStore(database.engine);
  const operator = createOperatorStore(database.engine);
  const find = async (path: string) => {
    const bytes = (await readFile(path, 'latin1')).toLowerCase();
    return traces.filter((trace) => bytes.includes(trace));
  };
  const { agent: hidden } = (await agents.registerOnce('key', makeNewAgent(texts)))!;
  await operator.hide(byId(hidden.id), 'Spam');
  // In the one segment of a merged index.
  await agents.registerOnce('other', makeNewAgent(texts));
  await agents.load(Array.from({ length: 50 }, () => makeAgent()));
  await mergeSegments(database.engine.db);
  await database.reopen();
  expect(await find(file)).toEqual(traces);
  // Written after the reopening, this agent is in the log alone.
  await createAgentStore(database.engine).load([makeAgent(texts)]);
  expect(await find(`${file}-wal`)).toEqual(traces);
  await createOperatorStore(database.engine).erase({ email: 'mavis@person.example' });
  expect(await find(`${file}-wal`)).toEqual([]);
  expect(await find(file)).toEqual([]);
  await database.remove();
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function* iterate(records: readonly RegistryRecord[]): AsyncGenerator<RegistryRecord> {
  yield* records;
}
