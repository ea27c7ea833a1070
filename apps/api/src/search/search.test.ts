import { defaultCategories as categories, type Agent, type ListedAgent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { search as searchStore } from '../testing/search.ts';

describe.each(engines)('search on $name', ({ open }) => {
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

  /** The agents with all words of a text. */
  const find = async (text: string) => (await searchStore(store, text)).agents;

  /** The names of the agents that a search finds among these agents, in order. */
  async function search(text: string, agents: Partial<Agent>[] = []): Promise<string[]> {
    await store.load(agents.map((agent) => makeAgent({ description: 'x', ...agent })));
    return (await find(text)).map(({ name }) => name);
  }

  /** The names that a search finds among agents that differ only in their names. */
  const searchNames = (text: string, names: string[]) =>
    search(
      text,
      names.map((name) => ({ name })),
    );

  describe('matches', () => {
    test.each<[string, Partial<Agent>]>([
      ['name', { name: 'Otter Desk' }],
      ['description', { description: 'Works like an otter.' }],
      ['capabilities', { capabilities: ['first', 'otter counting'] }],
      ['example tasks', { exampleTasks: ['Count to ten.', 'Tell me where the otter is.'] }],
    ])('an agent matches by a word in its %s', async (_field, fields) => {
      const agent = makeAgent(fields);
      await store.load([makeAgent(), agent, makeAgent()]);
      expect(await find('otter')).toEqual([agent]);
    });

    test.each(
      categories.flatMap(({ id, name }) =>
        [id, ...name.split(' ').filter((word) => word !== '&')].map((word) => ({ id, word })),
      ),
    )('every agent of $id matches $word, a word of its category', async ({ id, word }) => {
      const found = await search(
        word,
        categories.map((category) => ({ name: category.id, category: category.id, description: 'x' })),
      );
      expect(found).toContain(id);
      expect(found.length).toBeLessThan(6);
    });

    test('agents do not match by mail address, website, price or API access', async () => {
      const agent: Partial<Agent> = {
        contactEmail: 'otter@beaver.example',
        website: 'https://badger.example',
        pricingModel: 'enterprise',
        apiAccess: 'planned',
      };
      await store.load([makeAgent(agent)]);
      for (const word of ['otter', 'beaver', 'badger', 'enterprise', 'planned']) expect(await search(word)).toEqual([]);
    });

    test('the first agents have every word, in any field and order', async () => {
      await store.load([
        makeAgent({ name: 'Both', description: 'A beaver.', capabilities: ['otter'] }),
        makeAgent({ name: 'One', description: 'An otter.' }),
        makeAgent({ name: 'Neither', description: 'A beaver.' }),
      ]);
      expect(await search('otter beaver')).toEqual(['Both']);
      expect(await search('  beaver\t otter  ')).toEqual(['Both']);
      expect(await search('otter beaver badger')).toEqual([]);
    });

    test('the first agents have every word, also if one is only inside a word', async () => {
      expect(await searchNames('otter desk', ['SwiftOtter Helpdesk', 'SwiftOtter', 'Helpdesk'])).toEqual([
        'SwiftOtter Helpdesk',
      ]);
    });

    test.each(['o', 'ot', 'ott', 'otter'])('an agent matches by a word that begins with %s', async (text) => {
      expect(await searchNames(text, ['Otter', 'Beaver'])).toEqual(['Otter']);
    });

    test('three letters or more match inside a word', async () => {
      expect(await searchNames('otter', ['SwiftOtter', 'Beaver'])).toEqual(['SwiftOtter']);
      expect(await search('tOt')).toEqual(['SwiftOtter']);
    });

    test('the inside of words counts in searches of up to four words', async () => {
      const names = ['red green blue unblackened white'];
      expect(await searchNames('red green blue black', names)).toEqual(names);
      expect(await search('red green blue black white')).toEqual([]);
    });

    test('one or two letters do not match inside a word', async () => {
      expect(await searchNames('tt', ['SwiftOtter'])).toEqual([]);
      expect(await search('t')).toEqual([]);
    });

    test('a text without a word matches nothing', async () => {
      await store.load([makeAgent({ name: '100% _under_ * "quoted" -' })]);
      for (const text of ['%', '_', '*', '+', '#', '"', '-', '%%%', '___', "'", '\\', '.', '()']) {
        expect(await search(text)).toEqual([]);
      }
    });
  });

  describe('accents and case do not matter', () => {
    test.each([
      ['otter', 'OTTER'],
      ['OTTER', 'otter'],
      ['cafe', 'Café'],
      ['CAFÉ', 'cafe'],
      ['café', 'SuperCafe'],
      ['cafe', 'SuperCafé'],
      ['el', 'Élan'],
      ['él', 'Elan'],
      ['cafe\u0301', 'Café'],
      ['ubersicht', 'ÜBERSICHT'],
      ['помощник', 'ПОМОЩНИК'],
      ['мощник', 'ПОМОЩНИК'],
    ])('%s finds %s', async (text, name) => {
      expect(await searchNames(text, [name, 'Beaver'])).toEqual([name]);
    });
  });

  describe('characters with a meaning in a database', () => {
    test.each([
      ['c++', 'C++ Helper', 'C Helper'],
      ['c#', 'C# Helper', 'C Helper'],
      ['C', 'C++ Helper', 'Helper'],
      ['node.js', 'Runs node.js', 'Runs node'],
      ['multi-agent', 'Multi-agent planner', 'Multi planner'],
      ['100%', 'Saves 100% of it', 'Saves 1, 0 and 0%'],
      ['ott%er', 'ott%er', 'Beaver'],
      ['snake_case', 'Writes snake_case', 'Writes snake'],
      ["don't", "Don't panic", 'Do panic'],
      ['"otter', 'Otter', 'Beaver'],
      ['otter"', 'Otter', 'Beaver'],
      ['cats AND dogs', 'Dogs, cats', 'Cats'],
      ['cats OR dogs', 'Dogs, cats', 'Cats'],
      ['cats NOT dogs', 'Cats not dogs', 'Cats'],
      ['cats NEAR dogs', 'Cats near dogs', 'Cats dogs'],
      ['-otter', 'Not-otter', 'Beaver'],
      ['otter*', 'Otter', 'Beaver'],
      ['name:otter', 'Name:Otter', 'Otter'],
      ['{name}:otter', 'Name:Otter', 'Otter'],
      ['^otter', 'Otter', 'Beaver'],
      ['ott\u0000er', 'Ott er', 'Beaver'],
      ["'; DROP TABLE agents; --", 'Drop; table agents', 'Otter'],
    ])('%j finds %s and not %s', async (text, found, notFound) => {
      expect(await searchNames(text, [found, notFound])).toEqual([found]);
    });

    test.each([
      '',
      ' ',
      '\u0000',
      '\uD800',
      'otter\uDFFF',
      '🤖',
      'otter 🤖',
      '1️⃣',
      '𞤀𞤀𞤀',
      '\u0301\u0301\u0301',
      'ﬁ ſ İ ß',
      '"',
      '""',
      '"""',
      '"otter',
      '*',
      'otter *',
      'AND',
      'OR OR OR',
      'NOT otter',
      'NEAR(otter, 2)',
      'NEAR/2',
      'otter:',
      ':otter',
      'seq:1',
      '- otter',
      '^',
      '(otter',
      '+',
      '+++',
      '#',
      '+otter',
      'a + b',
      '\\',
      'otter\\',
      '%',
      '_%_',
      '?',
      '?1',
      ':name',
      '$1',
      '@x',
      'a'.repeat(200),
      '日本語',
    ])('%j is searched like any other text', async (text) => {
      await expect(searchNames(text, ['Otter 🤖', 'C++'])).resolves.toBeInstanceOf(Array);
    });

    test.each([
      ['🚀', ['Otter 🚀', 'Heron']],
      ['🌕🚀', ['Heron']],
      ['beaver 🚀', ['Beaver']],
    ])('an emoji is a word of a search that has no others: %s', async (text, found) => {
      const agents = [{ name: 'Otter 🚀' }, { name: 'Heron', description: 'To the moon 🚀🌕' }, { name: 'Beaver' }];
      expect(await search(text, agents)).toEqual(found);
    });

    test('only the first ten of a hundred words of one letter count', async () => {
      const letters = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index));
      const description = letters.join(' ');
      expect(
        await search(description, [{ name: 'All', description }, { description: letters.slice(1).join(' ') }]),
      ).toEqual(['All']);
    });

    test('fifty different words of three letters can be searched', async () => {
      const words = Array.from({ length: 50 }, (_, index) => `w${index + 10}`);
      const description = words.join(' ');
      expect(
        await search(description, [{ name: 'All', description }, { description: words.slice(1).join(' ') }]),
      ).toEqual(['All']);
    });
  });

  describe('order', () => {
    const filler = 'Some long text that has nothing to do with it. '.repeat(20);

    test('an exact name is first, then names that begin with the text, then the rest', async () => {
      const found = await search('otter', [
        { name: 'Desk', description: 'otter otter otter', capabilities: ['otter', 'otter otter'] },
        { name: 'Otter Desk', description: filler },
        { name: 'OTTER', description: filler, createdAt: '2020-01-01T00:00:00.000Z' },
        { name: 'The Otter', description: 'otter', capabilities: ['otter'] },
      ]);
      expect(found.slice(0, 2)).toEqual(['OTTER', 'Otter Desk']);
      expect(found).toHaveLength(4);
    });

    test.each([
      ['salt & pepper', 'Salt & Pepper'],
      ['tick tick', 'Tick Tick'],
      ['помощник', 'Помощник'],
      ['CAFE', 'Café'],
      ['café', 'Cafe'],
      [' front \t desk ', 'Front  Desk'],
      ['100% otter', '100% Otter'],
      ['otter_1', 'Otter_1'],
    ])('%j finds %s first, as its exact name', async (text, name) => {
      const words = name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
      const found = await search(text, [
        { name: `${words} ${words}`, description: name, capabilities: [name, name] },
        { name, description: filler, createdAt: '2020-01-01T00:00:00.000Z' },
        { name: `A ${name}`, description: name, capabilities: [name, name] },
      ]);
      expect(found).toHaveLength(3);
      expect(found[0]).toBe(name);
    });

    test('a word in the name counts more than one in the capabilities, and that more than one in the description', async () => {
      const plain = { name: 'Plain One', capabilities: ['heron'], description: 'A beaver.' };
      const found = await search('otter', [
        { ...plain, name: 'Plain Otter', createdAt: '2026-01-01T00:00:00.000Z' },
        { ...plain, capabilities: ['otter'], createdAt: '2026-01-02T00:00:00.000Z' },
        { ...plain, name: 'Plain Two', description: 'A otter.', createdAt: '2026-01-03T00:00:00.000Z' },
      ]);
      expect(found).toEqual(['Plain Otter', 'Plain One', 'Plain Two']);
    });

    test('inside words too, the name counts more', async () => {
      const found = await search('otter', [
        { name: 'Plain', description: 'Swiftotter', createdAt: '2026-01-02T00:00:00.000Z' },
        { name: 'Swiftotter', createdAt: '2026-01-01T00:00:00.000Z' },
      ]);
      expect(found).toEqual(['Swiftotter', 'Plain']);
    });

    test.each(['snake_case', 'snake%case'])('%s is not a wildcard for the beginning of a name', async (text) => {
      const found = await search(text, [
        { name: 'SnakeXcase', description: `${filler} ${text}` },
        { name: 'Plain', capabilities: [text] },
      ]);
      expect(found).toEqual(['Plain', 'SnakeXcase']);
    });

    test('the beginning of a word counts more than the inside of one', async () => {
      const found = await search('otter', [
        { name: 'Swiftotter', createdAt: '2026-02-01T00:00:00.000Z' },
        { name: 'Plain', description: `${filler} otter` },
      ]);
      expect(found).toEqual(['Plain', 'Swiftotter']);
    });

    test('equal matches are oldest first', async () => {
      const twin = { id: '99999999-0000-4000-8000-000000000000', contactEmail: 'twin@example.com' };
      await store.load([
        makeAgent({ name: 'Old Otter' }),
        makeAgent({ name: 'New Otter', createdAt: '2026-02-01T00:00:00.000Z', ...twin }),
        makeAgent({ name: 'New Otter', createdAt: '2026-02-01T00:00:00.000Z', id: twin.id.replace('9', '1') }),
      ]);
      expect((await find('otter')).map(({ name, contactEmail }) => [name, contactEmail])).toEqual([
        ['Old Otter', 'owner@example.com'],
        ['New Otter', 'twin@example.com'],
        ['New Otter', 'owner@example.com'],
      ]);
    });
  });

  describe('a page of results', () => {
    const names = ['Otter', 'Otter Desk', 'Desk Otter', 'Otters', 'Plain', 'Swiftotter', 'Plain', 'Ottar'];
    const agents = names.map((name, index) =>
      makeAgent({
        name,
        description: index === 4 ? 'otter' : 'x',
        capabilities: index === 6 ? ['otter'] : [],
        createdAt: `2026-01-0${index + 1}T00:00:00.000Z`,
      }),
    );

    test.each([1, 2, 3, 4, 7, 8, 9])('continues after the previous page: pages of %d', async (limit) => {
      await store.load(agents);
      const whole = await store.search({ text: 'otter' });
      expect(whole?.agents.map(({ name }) => name)).toEqual([
        'Otter',
        'Otter Desk',
        'Otters',
        'Desk Otter',
        'Plain',
        'Plain',
        'Swiftotter',
      ]);
      const walked: ListedAgent[] = [];
      for (let hasMore = true; hasMore;) {
        const page = await store.search({ text: 'otter', limit, after: walked.at(-1)?.id });
        expect(page?.total).toBe(7);
        expect(page?.agents.length).toBeLessThanOrEqual(limit);
        walked.push(...(page?.agents ?? []));
        hasMore = page?.hasMore ?? false;
      }
      expect(walked).toEqual(whole?.agents);
    });

    test('is undefined after an agent that is not a result', async () => {
      await store.load(agents);
      expect(await store.search({ text: 'otter', after: agents[7]?.id })).toBeUndefined();
      expect(await store.search({ text: 'otter', after: '00000000-0000-4000-8000-000000000000' })).toBeUndefined();
    });

    test('has a thousand agents when no limit is given', async () => {
      await store.load(Array.from({ length: 1_001 }, () => makeAgent({ name: 'Otter' })));
      const found = await store.search({ text: 'otter' });
      expect(found).toMatchObject({ total: 1_001, hasMore: true });
      expect(found?.agents).toHaveLength(1_000);
    }, 30_000);
  });

  describe('corrections', () => {
    test('of a word that no agent uses are reported, and their names count', async () => {
      await store.load(['Ottar Desk', 'Otter', 'Plain'].map((name) => makeAgent({ name, description: 'An otter.' })));
      const found = await searchStore(store, 'oter');
      expect(found.agents.map(({ name }) => name)).toEqual(['Otter', 'Ottar Desk', 'Plain']);
      expect(found.correction).toBe('otter');
    });

    test('keep the words and signs that were typed', async () => {
      await store.load([makeAgent({ name: 'Who’s behind this?' }), makeAgent({ name: 'Studio D-ID' })]);
      expect((await store.search({ text: "Who's behnd this?" }))?.correction).toBe("Who's behind this?");
      expect((await store.search({ text: 'studo d-id' }))?.correction).toBe('studio d-id');
    });

    test('are not made of a word that agents use', async () => {
      await store.load([makeAgent({ name: 'Ottar' }), makeAgent({ name: 'Plain', description: 'An otter.' })]);
      expect(await store.search({ text: 'otter' })).toMatchObject({ total: 1, correction: undefined });
    });

    test('are not made in a long text, and of at most three words', async () => {
      await store.load(['Cloud Otter', 'Webex'].map((name) => makeAgent({ name })));
      expect((await store.search({ text: 'clowd yksi kaksi webx otter' }))?.correction).toBe(
        'cloud yksi kaksi webx otter',
      );
      expect((await store.search({ text: 'read clowd otter' }))?.correction).toBe('read cloud otter');
      const long = 'otter that answers the calls of my team in the evening for weber';
      expect((await store.search({ text: long }))?.correction).toBeUndefined();
      expect((await store.search({ text: 'weber' }))?.correction).toBe('webex');
    });

    test('are not made of an English word that no agent uses, nor told in another language', async () => {
      const near = ['talk', 'better', 'via', 'mentor', 'lead', 'hours', 'planned', 'fright', 'boot', 'soap', 'vow'];
      await store.load(near.map((description) => makeAgent({ name: 'Otter', description, capabilities: [] })));
      const wishes =
        'walk the dog, write a letter, apply for a visa, leads, houses, a planner, night flight, a book, warm soup, wow';
      for (const text of wishes.split(', ')) {
        expect([text, (await store.search({ text }))?.correction]).toEqual([text, undefined]);
      }
      await store.load([makeAgent({ name: 'Professional' })]);
      for (const text of ['una foto profesional para mi perfil', 'ein Mentr für meine Firma und mich']) {
        const found = await store.search({ text });
        expect([found?.agents.length, found?.correction]).toEqual([1, undefined]);
      }
    });

    test('are not searched when five agents match without them', async () => {
      await store.load([
        makeAgent({ name: 'Ottar' }),
        ...Array.from({ length: 5 }, () => makeAgent({ name: 'Ot Terr' })),
      ]);
      expect(await store.search({ text: 'otterr' })).toMatchObject({ total: 5, correction: undefined });
    });

    test('follow at most twenty at a time', async () => {
      await store.load(Array.from({ length: 30 }, () => makeAgent({ name: 'Otter' })));
      expect(await store.search({ text: 'oter' })).toMatchObject({ full: 20, total: 30, correction: 'otter' });
    });

    test('include words added after the first search, also by another process', async () => {
      expect(await search('badgr')).toEqual([]);
      const other = createAgentStore(database.engine);
      await other.load([makeAgent({ name: 'Badger' })]);
      expect(await search('badgr')).toEqual(['Badger']);
    });
  });

  describe('related words', () => {
    test('words with the same stem follow exact words, and infixes follow them, without a correction', async () => {
      const agents = ['Prerepository', 'Repository Keeper', 'Repositories'].map((name) => ({ name }));
      expect(await search('repositories', agents)).toEqual(['Repositories', 'Repository Keeper']);
      expect((await store.search({ text: 'repositories' }))?.correction).toBeUndefined();
      expect(await search('repository')).toEqual(['Repository Keeper', 'Repositories', 'Prerepository']);
    });

    test('two and three words of a name are found as one, and one word as two', async () => {
      expect(await searchNames('factchecker', ['Daily Fact Checker', 'Fact Checker', 'Checker'])).toEqual([
        'Fact Checker',
        'Daily Fact Checker',
      ]);
      expect(await search('dailyfactchecker')).toEqual(['Daily Fact Checker']);
      expect(await searchNames('crew otters', ['Crewotters'])).toEqual(['Crewotters']);
    });

    test('a search as typed has no corrections and no synonyms, also in its facets', async () => {
      await store.load(['Otter', 'Otterr Den', 'Kubernetes Beaver'].map((name) => makeAgent({ name })));
      const typed = { correct: false };
      expect(await store.search({ text: 'oter', ...typed })).toMatchObject({ total: 0, correction: undefined });
      expect(await store.search({ text: 'k8s beaver', ...typed })).toMatchObject({ full: 0, correction: undefined });
      expect(await store.search({ text: 'k8s beaver' })).toMatchObject({ full: 1 });
      expect((await store.countFacets({ text: 'oter', ...typed })).counts).toEqual([]);
    });

    test('synonyms follow exact words, and are not told', async () => {
      await store.load([makeAgent({ name: 'Kubernetes Otter' }), makeAgent({ name: 'Text Otter to Speech' })]);
      expect(await store.search({ text: 'k8s otter' })).toMatchObject({ full: 1, correction: undefined });
      expect((await searchStore(store, 'tts')).agents.map(({ name }) => name)).toEqual(['Text Otter to Speech']);
      await store.load([makeAgent({ name: 'K8s Otter' })]);
      expect(await store.search({ text: 'k8s otter' })).toMatchObject({ full: 2, correction: undefined });
    });

    test.each<[string, string, string[], string[]]>([
      ['a whole word and a beginning', 'gannet puf', ['Gannet Puffin'], ['gannet', 'puf*']],
      ['a stem', 'repositories', ['Repository'], ['repositories*', 'repository']],
      ['a synonym', 'k8s', ['Kubernetes Otter'], ['k8s*', 'kubernetes']],
      ['a correction', 'wombet yaks', ['Wombat Yaks'], ['wombet', 'yaks*', 'wombat']],
      ['an infix', 'tterhub', ['Otterhub'], ['*tterhub*']],
      ['a derived word', 'judges', ['Judgment'], ['judges*', 'judgment']],
      ['joined words', 'crew walruses', ['CrewWalruses'], ['*crew*', '*walruses*']],
      ['a split word', 'node.js', ['NodeJS'], ['*node*', 'js*', 'nodejs*']],
      ['the pieces of a run', '写作助手', ['写作', '助手'], ['*写作助手*', '*助手*', '*写作*']],
    ])('the words by which agents were found are told: %s', async (_name, text, names, words) => {
      await store.load(names.map((name) => makeAgent({ name, description: 'x' })));
      // Words of agents that match alike come in the order of these, which depends on the words of earlier agents.
      expect((await store.search({ text }))?.words.toSorted()).toEqual(words.toSorted());
    });

    test('a name that an infix fills more of comes first', async () => {
      const names = ['Otterhub', 'Otterhub Documentation', 'Swift Otterhubbers'];
      expect(await searchNames('tterhub', names)).toEqual(['Otterhub', 'Otterhub Documentation', 'Swift Otterhubbers']);
    });
  });

  describe('some of the words', () => {
    const names = async (text: string) => (await searchStore(store, text)).partial.map(({ name }) => name);

    test('follow when fewer than twenty agents have all words: rare words and names first', async () => {
      await store.load([
        makeAgent({ name: 'Ferry', description: 'A plover and a tern.' }),
        ...Array.from({ length: 9 }, (_, index) => makeAgent({ name: `Mail ${index}`, description: 'A plover.' })),
        makeAgent({ name: 'Tern' }),
        makeAgent({ name: 'Gate', description: 'A tern.' }),
        makeAgent({ name: 'Heron' }),
      ]);
      const found = await searchStore(store, 'tern plover');
      expect(found.agents.map(({ name }) => name)).toEqual(['Ferry']);
      expect((await names('tern plover')).slice(0, 2)).toEqual(['Tern', 'Gate']);
      expect(await names('tern plover')).toHaveLength(11);
      expect(await names('tern plover')).not.toContain('Heron');
    });

    test('begin with a word that begins a name or is a capability, before a rarer word elsewhere', async () => {
      await store.load([
        makeAgent({ name: 'Tern Mail', description: 'x' }),
        makeAgent({ name: 'Gull', description: 'A dinghy.' }),
        makeAgent({ name: 'Heron', description: 'x', capabilities: ['tern'] }),
        ...Array.from({ length: 4 }, () => makeAgent({ name: 'Plain', description: 'A tern.' })),
        ...Array.from({ length: 4 }, () => makeAgent({ name: 'Plain', description: 'A dinghy.' })),
      ]);
      expect((await names('tern dinghy')).slice(0, 2).toSorted()).toEqual(['Heron', 'Tern Mail']);
    });

    test('do not follow when twenty agents of different owners have all words', async () => {
      await store.load([
        ...Array.from('abcdefghijklmnopqrst', (letter) => makeAgent({ name: 'Otter Beaver', description: letter })),
        makeAgent({ name: 'Otter' }),
      ]);
      expect(await names('otter beaver')).toEqual([]);
    });

    test('are read page by page', async () => {
      const agents = ['Otter Beaver', 'Otter', 'Beaver', 'Beaver Otter'].map((name) => makeAgent({ name }));
      await store.load(agents);
      const all = (await store.search({ text: 'otter beaver' }))?.agents.map(({ id }) => id) ?? [];
      expect(all).toHaveLength(4);
      for (const [index, after] of all.entries()) {
        const page = await store.search({ text: 'otter beaver', limit: 1, after });
        expect(page?.agents.map(({ id }) => id)).toEqual(all.slice(index + 1, index + 2));
        expect(page).toMatchObject({ total: 4, full: 2, hasMore: index < 2 });
      }
    });

    test('are filtered and sorted like all results', async () => {
      await store.load([
        makeAgent({ name: 'Otter Beaver', pricingModel: 'paid' }),
        makeAgent({ name: 'Otter', pricingModel: 'free' }),
        makeAgent({ name: 'Beaver', pricingModel: 'paid' }),
      ]);
      const paid = await store.search({ text: 'otter beaver', pricing: ['paid'] });
      expect(paid).toMatchObject({ total: 2, full: 1 });
      expect(paid?.agents.map(({ name }) => name)).toEqual(['Otter Beaver', 'Beaver']);
      const sorted = await store.search({ text: 'otter beaver', sort: 'name' });
      expect(sorted?.agents.map(({ name }) => name)).toEqual(['Beaver', 'Otter', 'Otter Beaver']);
      expect((await store.countFacets({ text: 'otter beaver' })).counts).toHaveLength(2);
    });

    test('a question finds what its telling words find, and a name that is made of stop words', async () => {
      await store.load(['Otter', 'The Who', 'Best Agent'].map((name) => makeAgent({ name })));
      expect((await find('what is the best agent for otters?')).map(({ name }) => name)).toEqual(['Otter']);
      expect((await find('welche agenten gibt es für otter')).map(({ name }) => name)).toEqual(['Otter']);
      expect((await find('the who')).map(({ name }) => name)).toEqual(['The Who']);
    });

    test('a run of Chinese that does not occur in one piece is cut into words', async () => {
      await store.load(['写作', '写作的好助手', '翻译'].map((name) => makeAgent({ name })));
      expect(await names('写作助手')).toEqual(['写作的好助手', '写作']);
    });

    test('simplified and traditional letters find each other', async () => {
      await store.load([makeAgent({ name: '機器學習' }), makeAgent({ name: '机器学习助手' })]);
      expect((await find('机器学习')).map(({ name }) => name).toSorted()).toEqual(['机器学习助手', '機器學習']);
      expect(await find('機器學習')).toHaveLength(2);
    });
  });
});
