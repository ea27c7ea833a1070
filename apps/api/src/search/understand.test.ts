import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { search } from '../testing/search.ts';

const agents = [
  { name: 'Otter Chat', capabilities: ['Chat'], description: 'Talks.', website: 'https://www.otter.example/chat' },
  { name: 'Beaver Chat', capabilities: ['Chat', 'Google Docs'], pricingModel: 'paid' as const },
  { name: 'Googles Chat', capabilities: ['Chat'] },
  { name: 'Heron Chat', capabilities: ['Chat'], description: 'Works beside Google.', apiAccess: 'yes' as const },
  { name: 'No Code Builder', capabilities: ['No-code'], category: 'automation' as const },
  { name: 'Code Builder', capabilities: ['Code'], category: 'automation' as const },
  { name: 'Dam -Lake', capabilities: ['Water'] },
  { name: 'Dam', capabilities: ['Water'] },
  { name: 'Support Desk', capabilities: ['Tickets'], description: 'Customer support for shops.' },
  { name: 'Support Line', capabilities: ['Tickets'], description: 'Support for a customer.' },
  { name: 'Mallard', capabilities: ['Invoices', 'Receipts'] },
  { name: 'Pintail', capabilities: ['Invoices', 'Receipts'], pricingModel: 'paid' as const },
  { name: 'Teal', capabilities: ['Receipts'] },
  { name: 'Mallard', capabilities: ['Spam'] },
  { name: "L'Écluse", capabilities: ['Locks'] },
  { name: 'Ecluse Guide', capabilities: ['Maps'] },
  { name: '画像メーカー', capabilities: ['Pictures'], description: '画像を生成します' },
].map((fields, index) =>
  makeAgent({ description: 'abcdefghijklmnopqrstuvwxyz'[index], category: 'vision', ...fields }),
);

describe.each(surfaceEngines)('operators of a search on $name', ({ open }) => {
  let database: TestDatabase;
  let store: AgentStore;

  beforeAll(async () => {
    database = await open();
    store = createAgentStore(database.engine);
    await store.load(agents);
  });

  afterAll(() => database.remove());

  const find = (text: string) => store.search({ text }).then((found) => found!);
  /** The names of the agents with all words, best first. */
  const namesOf = async (text: string) => (await search(store, text)).agents.map(({ name }) => name);

  test.each([
    ['chat -google', 'chat -google'],
    ['chat without Google', 'chat -Google'],
    ['a chat, but not by Google please', 'a chat, -Google please'],
    ['chat without Google pricing:free', 'chat -Google pricing:free'],
    ['chat without Google -slack', 'chat -Google -slack'],
    ['chat other than "Google Docs"', 'chat -"Google Docs"'],
    ['chat that is not paid', 'chat that is pricing:free'],
    ['"customer support"', '"customer support"'],
    ['chat without Google or Slack', 'chat -Google -Slack'],
    ['chat that has nothing to do with Google', 'chat that has -Google'],
    ['chat, we do not use Google so far', 'chat, we do -Google so far'],
    ['chat, nothing paid', 'chat, pricing:free'],
    ['chat without typing', undefined],
    ["chat that doesn't use Google", 'chat that -Google'],
    ['chats that don’t need Google Docs', 'chats that -"Google Docs"'],
    ["chat that doesn't cost anything", 'chat that pricing:free'],
    ["chat, I don't want to type", undefined],
    ["a chat I can't think of", undefined],
    ['alternative to Mallard', undefined],
    ['something like mallard', undefined],
    ['Mallard without Google', 'Mallard -Google'],
    ['no code builder', undefined],
    ['builder with no code', undefined],
    ['mostrar dinero no chat', undefined],
    ['Dam -Lake', undefined],
    ['category:automation', 'category:automation'],
    ['category:nowhere', undefined],
    ['chat', undefined],
    [`${'chat '.repeat(20)}without google`, undefined],
  ])('%j is understood as %j', async (text, expected) => {
    expect((await find(text)).understood).toBe(expected);
  });

  test.each(['chat -google', 'chat without google', 'chat and no google'])(
    '%j finds no agent with the word, or its plural, in a field',
    async (text) => {
      expect(await namesOf(text)).toEqual(['Otter Chat']);
    },
  );

  test('an excluded word may stand in no field', async () => {
    expect(await namesOf('heron chat -google')).toEqual([]);
    expect(await namesOf('beaver chat -google')).not.toContain('Beaver Chat');
  });

  test.each(["l'écluse", 'L’Ecluse'])('the name %j comes first, before agents with its word', async (text) => {
    expect(await namesOf(text)).toEqual(["L'Écluse", 'Ecluse Guide']);
  });

  test.each([
    ['chat pricing:paid', ['Beaver Chat']],
    ['api:yes', ['Heron Chat']],
    ['category:automation', ['Code Builder', 'No Code Builder']],
    ['category:automation -no', ['Code Builder']],
    ['by:otter.example', ['Otter Chat']],
    ['by:www.Otter.example chat', ['Otter Chat']],
    ['name:builder', ['Code Builder', 'No Code Builder']],
    ['capability:google', ['Beaver Chat']],
    ['capability:chat -google -otter', []],
    ['name:画像', ['画像メーカー']],
    ['"customer support"', ['Support Desk']],
    ['"画像を生成"', ['画像メーカー']],
    ['"support customer"', []],
    ['Dam -Lake', ['Dam -Lake']],
  ])('%j finds %j', async (text, expected) => {
    expect((await namesOf(text)).toSorted()).toEqual(expected.toSorted());
  });

  test('agents like another one share its capabilities; agents of its name come last, whoever they are', async () => {
    const names = await namesOf('like:Mallard');
    expect([names.slice(0, 2), names.slice(-2)]).toEqual([
      ['Pintail', 'Teal'],
      ['Mallard', 'Mallard'],
    ]);
    expect((await namesOf('like:Mallard pricing:free'))[0]).toBe('Teal');
    expect(await namesOf('like:Mallard support')).toEqual(expect.arrayContaining(['Pintail', 'Support Desk']));
  });

  test.each(['Heron Chat alternatives', 'heron chat alternative', 'alternatives to Heron Chat?'])(
    'a listed name is found by %j',
    async (text) => {
      expect((await namesOf(text))[0]).toBe('Heron Chat');
    },
  );

  test('filters and pages apply to results of phrases', async () => {
    const found = await store.search({ text: '"no code"', limit: 1, pricing: ['free'] });
    expect(found).toMatchObject({ total: 1, full: 1, hasMore: false });
    expect(await store.search({ text: '"no code"', pricing: ['paid'] })).toMatchObject({ total: 0, agents: [] });
    expect(await store.countFacets({ text: 'otter chat -google' })).toMatchObject({ counts: [{ agents: 1 }] });
  });

  test.each(['write to me@example.com or call +49 170 123 45 67 about invoices', 'https://otter.example/invoices'])(
    'addresses and numbers of %j are no words',
    async (text) => {
      expect((await find(text)).agents[0]?.name).toMatch(/Mallard|Pintail|Otter Chat/);
    },
  );

  test.each([
    `chat ${'-a '.repeat(60)}`,
    `chat ${'not x '.repeat(30)}`,
    'pricing:free,'.repeat(15),
    `"${'a" "'.repeat(60)}"`,
    `by:${'a.'.repeat(90)}`,
    'like:"" alternative to alternative to',
  ])('%j is answered', async (text) => {
    expect((await find(text.slice(0, 200))).total).toBeGreaterThanOrEqual(0);
  });
});
