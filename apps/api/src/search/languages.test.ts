import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { search } from '../testing/search.ts';

const agents = [
  { name: 'Ledger', description: 'Writes an invoice for each order.' },
  { name: 'Buchhalter', description: 'Schreibt jede Rechnung.' },
  { name: 'Tongue', capabilities: ['translation'] },
  { name: 'Painter', capabilities: ['image generator'] },
  { name: 'De', description: 'de' },
  { name: '写作助手', description: '帮你写简历' },
  { name: '翻訳くん', description: '日本語を英語に翻訳します' },
  { name: '소설 작가', description: '소설 쓰기' },
  { name: 'Gärtner', description: 'Pflegt den Garten und gießt Blumen.' },
  { name: 'Садовник', description: 'Поливает растения.' },
  { name: 'Jardinero', description: 'Riega plantas.' },
  { name: 'Stores', description: 'stores' },
  { name: 'Cutter', capabilities: ['video editing'] },
  { name: 'Deskmate', capabilities: ['customer support'] },
  { name: 'House Finder', capabilities: ['real estate'] },
].map((fields) => makeAgent({ capabilities: [], description: 'x', category: 'analytics', ...fields }));

let database: TestDatabase;
let store: AgentStore;

// The engines differ in the index only, which these searches use like all others.
beforeAll(async () => {
  database = await engines[0].open();
  store = createAgentStore(database.engine);
  await store.load(agents);
});

afterAll(() => database.remove());

const namesOf = async (text: string) => (await search(store, text)).agents.map(({ name }) => name);

test.each([
  ['factura', ['Ledger']],
  ['счёт', ['Ledger']],
  ['請求書', ['Ledger']],
  ['traducteur', ['Tongue']],
  ['generador de imágenes', ['Painter']],
  ['Übersetzungen', ['Tongue']],
  ['traducciones', ['Tongue']],
  ['fatture', ['Ledger']],
  ['переводов', ['Tongue']],
  ['剪辑', ['Cutter']],
  ['Kundenservice', ['Deskmate']],
  ['immobilier', ['House Finder']],
])('%j finds agents by the English word: %j', async (text, expected) => {
  expect(await namesOf(text)).toEqual(expected);
});

test('agents with the word itself come before agents with the English word', async () => {
  expect(await namesOf('Rechnung')).toEqual(['Buchhalter', 'Ledger']);
  expect(await namesOf('翻訳')).toEqual(['翻訳くん', 'Tongue']);
});

test.each([
  ['Gärten für die Blume', 'Gärtner'],
  ['растение', 'Садовник'],
  ['una planta para el jardín', 'Jardinero'],
])('the inflections of %j count: it finds %s', async (text, name) => {
  expect(await namesOf(text)).toEqual([name]);
});

test('a word that agents use is not taken for an inflection of another language', async () => {
  expect(await namesOf('stores')).toEqual(['Stores']);
});

test.each(['factura para mí', 'generador de imágenes', '請求書', 'traducteur pricing:free', 'Übersetzungen'])(
  'a translation is no correction: %j',
  async (text) => {
    const found = await store.search({ text });
    expect([found?.full, found?.correction]).toEqual([1, undefined]);
  },
);

test('a search as typed is not translated', async () => {
  for (const text of ['factura', '請求書の作成']) {
    expect((await store.search({ text, correct: false }))?.agents).toEqual([]);
  }
});

test.each([
  ['我想要简历', '写作助手'],
  ['英語の翻訳を', '翻訳くん'],
  ['소설을', '소설 작가'],
  ['소설을 쓰기 해줘', '소설 작가'],
])('particles and endings of %j do not count: it finds %s', async (text, name) => {
  const found = await store.search({ text });
  expect(found?.agents[0]?.name).toBe(name);
});

test.each([
  ['ich suche hilfe mit Rechnungen', 'Ledger'],
  ['je cherche un outil pour traduire', 'Tongue'],
  ['necesito ayuda con facturas', 'Ledger'],
  ['preciso de ajuda com faturas', 'Ledger'],
  ['cerco aiuto per fatture', 'Ledger'],
  ['hulp gezocht bij facturen', 'Ledger'],
  ['нужна помощь: переводы', 'Tongue'],
  ['hello folks, thanks for any invoice agent', 'Ledger'],
])('words of a request do not count: %j finds %s', async (text, name) => {
  expect((await search(store, text)).agents.map((agent) => agent.name)).toContain(name);
});

test.each([
  ['自动剪辑视频的智能体', 'Cutter'],
  ['請幫我翻譯', 'Tongue'],
  ['請求書を作成したい', 'Ledger'],
  ['번역해주는', 'Tongue'],
])('a text without blanks is cut into words: %j finds %s', async (text, name) => {
  expect((await search(store, text)).partial.map((agent) => agent.name).concat(await namesOf(text))).toContain(name);
});
