import { createManagementKey, defaultCategories, type Agent, type Suggestions } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { makeCorpus } from '../testing/corpora.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { send, startTestApp, type RawRequest, type TestApp } from '../testing/test-app.ts';

describe.each(engines)('suggestions on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let operator: OperatorStore;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database });
    operator = createOperatorStore(database.engine);
  });

  beforeEach(() => database.empty());

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  const get = (query: string, request?: Omit<RawRequest, 'path'>) =>
    send(app.url, { ...request, path: `/api/suggest${query}` });

  async function suggest(q: string): Promise<Suggestions> {
    const { status, body } = await get(`?${new URLSearchParams({ q }).toString()}`);
    expect({ status, body }).toMatchObject({ status: 200 });
    return JSON.parse(body) as Suggestions;
  }

  const namesFor = async (q: string) => (await suggest(q)).agents.map(({ name }) => name);
  const capabilitiesFor = async (q: string) => (await suggest(q)).capabilities;

  test('have up to five agents with id, name and category, three capabilities, and categories', async () => {
    const agents = Array.from({ length: 6 }, (_, index) =>
      makeAgent({
        name: `Vision ${index}`,
        capabilities: [
          'vision tests',
          ...['vision models', 'vision', 'visions of 2030'].slice(0, Math.max(0, 3 - index)),
        ],
      }),
    );
    await app.agents.load(agents);
    expect(await suggest('computer v')).toEqual({
      agents: [],
      capabilities: [],
      categories: [{ id: 'vision', name: 'Computer Vision' }],
    });
    expect(await suggest('vis')).toEqual({
      agents: agents.slice(0, 5).map(({ id, name, category }) => ({ id, name, category })),
      capabilities: ['vision tests', 'vision models', 'vision'],
      categories: [{ id: 'vision', name: 'Computer Vision' }],
    });
  });

  test('begin with whole names, then with later words', async () => {
    const names = ['AutoGPT', 'GPT Writer', 'Helpful gpt', 'GPT', 'Egpt'];
    await app.agents.load(names.map((name) => makeAgent({ name })));
    expect(await namesFor('gpt')).toEqual(['GPT', 'GPT Writer', 'AutoGPT', 'Helpful gpt']);
  });

  test('have the whole name first, then agents with a proved website, then those with more views of a month, then older ones', async () => {
    const websiteCheckedAt = '2026-02-01T00:00:00.000Z';
    const proved = { website: 'https://otter.example.com/', websiteCheckedAt };
    const names = ['Otter Z', 'Otter A', 'Otter', 'Otter B', 'Otter C', '白いカワウソ甲', '白いカワウソ乙'];
    const agents = [...names.map((name) => makeAgent({ name })), makeAgent({ name: 'Otter Y', ...proved })];
    await app.agents.load(agents);
    const today = new Date().toISOString().slice(0, 10);
    const views = { 'Otter A': { [today]: 3 }, 'Otter B': { [today]: 4 }, 'Otter C': { '2026-01-01': 9 } };
    const rows = Object.entries({ ...views, 白いカワウソ乙: { [today]: 1 } }).flatMap(([name, days]) =>
      Object.entries(days).map(([day, count]) => ({
        agent_id: agents.find((agent) => agent.name === name)?.id ?? '',
        day,
        views: count,
      })),
    );
    await database.engine.db.insertInto('agent_views').values(rows).execute();
    expect(await namesFor('otter')).toEqual(['Otter', 'Otter Y', 'Otter B', 'Otter A', 'Otter Z']);
    expect(await namesFor('カワウソ')).toEqual(['白いカワウソ乙', '白いカワウソ甲']);
  });

  test('of a text without blanks are names that begin with it, then those with it inside, from one character on', async () => {
    await app.agents.load(
      ['猫', '名前アシスタント', '白猫の助手', '猫カフェ', '소설 작가', 'Cat 猫'].map((name) =>
        makeAgent({ name, capabilities: ['cats'], description: '犬' }),
      ),
    );
    expect(await namesFor('猫')).toEqual(['猫カフェ', '白猫の助手']);
    expect(await namesFor('アシスタ')).toEqual(['名前アシスタント']);
    expect(await namesFor('작가')).toEqual(['소설 작가']);
    expect(await namesFor('犬')).toEqual([]);
  });

  test('are folded as a search folds, and hold for any text', async () => {
    const found: Record<string, string> = {
      'NODE.J': 'Node.js Helper',
      nodej: 'Node.js Helper',
      'node js h': 'Node.js Helper',
      js: 'Node.js Helper',
      ubersetz: 'Übersetzer',
      Übersetz: 'Übersetzer',
      ﬁn: 'Finance',
      'c++': 'C++ Badger',
      名前: '名前アシスタント',
      '100': '100% Heron',
      "O'N": "O'Neill",
      'sch\u00ADnell': 'Schnell',
    };
    await app.agents.load([...new Set(Object.values(found))].map((name) => makeAgent({ name })));
    for (const [q, name] of Object.entries(found))
      expect({ q, names: await namesFor(q) }).toEqual({ q, names: [name] });
    for (const q of ['%%', '__', '**', "' OR 1=1", '\\\\', '👩‍💻👩‍💻', '--', '$&']) expect(await namesFor(q)).toEqual([]);
  });

  test('have a capability once, as the first agent spells it, whatever its length and spellings', async () => {
    const long = `${'👩‍💻'.repeat(20)} pairing`;
    await app.agents.load([
      makeAgent({ capabilities: ['E-Mail', 'email', 'e mail', long] }),
      makeAgent({ capabilities: ['e-mail'] }),
      makeAgent({ capabilities: ['e-mail', 'emails'] }),
    ]);
    expect(await capabilitiesFor('email')).toEqual(['E-Mail', 'emails']);
    expect(await capabilitiesFor('emails')).toEqual(['emails']);
    expect(await capabilitiesFor('pair')).toEqual([long]);
  });

  test('have the frequent capabilities first, and those that begin with the whole text despite a flood of others', async () => {
    const ofAll = Array.from({ length: 60 }, () => makeAgent({ capabilities: ['reading', 'reports'] }));
    await app.agents.load([makeAgent({ capabilities: ['rare one', 'really', 'resting'] }), ...ofAll]);
    expect(await capabilitiesFor('re')).toEqual(['reading', 'reports', 'really']);
    const flood = Array.from({ length: 40 }, (_, agent) =>
      makeAgent({ capabilities: Array.from({ length: 30 }, (_item, index) => `rea${agent}x${index}`) }),
    );
    await app.agents.load(flood);
    expect(await capabilitiesFor('re')).toHaveLength(3);
    expect(await capabilitiesFor('rep')).toEqual(['reports']);
  });

  test('are sent with an ETag, as 304 and to HEAD', async () => {
    await app.agents.load([makeAgent({ name: 'Otter' })]);
    const { headers, body } = await get('?q=ot');
    const { etag = '' } = headers;
    const head = await get('?q=ot', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '', headers: { etag, 'content-length': String(body.length) } });
    const again = async () => (await get('?q=ot', { headers: { 'if-none-match': etag } })).status;
    expect(await again()).toBe(304);
    await app.agents.load([makeAgent({ name: 'Other' })]);
    expect(await again()).toBe(200);
  });

  /** The stored keys, with their agents as far as there are any. */
  const readKeys = () =>
    database.engine.db
      .selectFrom('text_keys')
      .leftJoin('agents', 'agents.seq', 'text_keys.seq')
      .select(['id', 'kind', 'key'])
      .orderBy('id')
      .orderBy('kind')
      .orderBy('key')
      .execute();

  async function collect(): Promise<RegistryRecord[]> {
    const records: RegistryRecord[] = [];
    for await (const record of operator.read()) records.push(record);
    return records;
  }

  async function* replay(records: readonly RegistryRecord[]) {
    yield* records;
  }

  test('every way of writing agents leaves the suggestions of the listed agents, and no others', async () => {
    const select = (...agents: Agent[]) => ({ ids: new Set(agents.map(({ id }) => id)) });
    const corpus = [...makeCorpus(60)];
    const [hidden, withdrawn, erased, restored, relisted] = corpus as [Agent, Agent, Agent, Agent, Agent];
    const key = createManagementKey();
    await app.agents.load(corpus.slice(0, 40));
    await operator.add(corpus.slice(30));
    const own = (await app.agents.register(makeNewAgent({ name: 'Own One', capabilities: ['a b', 'ab'] }), { key }))
      .agent;
    const held = (
      await app.agents.register(makeNewAgent({ name: 'Held', capabilities: ['held up'] }), { isHeld: true })
    ).agent;
    await app.agents.update(own.id, { key }, { name: 'Owned Two', capabilities: ['ab', 'cd'] });
    await operator.hide(select(hidden, relisted), 'spam');
    await operator.withdraw(select(withdrawn, restored));
    await operator.erase(select(erased, hidden));
    await operator.unhide(select(relisted));
    await operator.restore(select(restored));
    await operator.release(select(held));
    await operator.hide(select(held), 'spam');

    const written = await readKeys();
    expect(written.filter(({ key }) => ['ab', 'cd', 'heldup'].includes(key))).toEqual([
      { id: own.id, kind: 'capability', key: 'ab' },
      { id: own.id, kind: 'capability', key: 'cd' },
    ]);
    const backup = await collect();
    await operator.replace(replay(backup));
    expect(await readKeys()).toEqual(written);
    const listed = await app.agents.list();
    await database.empty();
    await createAgentStore(database.engine).load(listed as Agent[]);
    expect(await readKeys()).toEqual(written);
    await operator.erase({});
    expect(await readKeys()).toEqual([]);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['hidden', (id) => operator.hide({ ids: new Set([id]) }, 'spam')],
    ['withdrawn', (id) => operator.withdraw({ ids: new Set([id]) })],
    ['erased', (id) => operator.erase({ ids: new Set([id]) })],
    ['renamed', (id) => app.agents.update(id, { key: KEY }, { name: 'Heron', capabilities: [] })],
  ])('an agent that was %s is not suggested from the next request on', async (_state, change) => {
    const agent = makeNewAgent({ name: 'Otter', capabilities: ['otter facts'] });
    const { id } = (await app.agents.register(agent, { key: KEY })).agent;
    expect(await suggest('otter')).toMatchObject({ agents: [{ id }], capabilities: ['otter facts'] });
    await change(id);
    expect(await suggest('otter')).toEqual({ agents: [], capabilities: [], categories: [] });
  });
});

const KEY = createManagementKey();

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('a category is suggested by each word of its name', async () => {
  for (const { id, name } of defaultCategories) {
    for (const word of name.split(/[ &-]+/)) {
      const { body } = await send(app.url, { path: `/api/suggest?q=${word.slice(0, 4)}` });
      const { categories } = JSON.parse(body) as Suggestions;
      expect({ word, categories }).toEqual({ word, categories: expect.arrayContaining([{ id, name }]) });
    }
  }
});

test.each([
  ['', 'q is required: the text to search for.'],
  ['?q=', 'q must not be blank: it is the text to search for.'],
  ['?q=%20e%CC%81%20', 'q must have at least 2 characters: it is the beginning of a name or a capability.'],
  [`?q=${'a'.repeat(201)}`, 'q can have at most 200 characters.'],
  ['?q=aa&q=bb', 'q must be one text.'],
])('the query %j is 400', async (query, message) => {
  const { status, body } = await send(app.url, { path: `/api/suggest${query}` });
  expect([status, body]).toEqual([400, message]);
});
