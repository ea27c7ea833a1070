import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { openDatabase } from './open-database.ts';
import { engines, makeAgent, type TestDatabase } from './test-engines.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await engines[0].open();
});

afterEach(() => database.remove());

test('many searches at once each get their own results', async () => {
  const store = createKyselyAgentStore(database.engine);
  const words = Array.from({ length: 20 }, (_, index) => `word${String.fromCodePoint(97 + index)}`);
  await store.load(words.map((name) => makeAgent({ name })));
  const found = await Promise.all(words.map((text) => store.search({ text, limit: 1 })));
  expect(found.map((page) => page?.agents[0]?.name)).toEqual(words);
});

test('a search under way when the database is closed fails', async () => {
  const { engine } = await openDatabase(database.url);
  const search = engine.search({ text: 'otter', limit: 1 });
  await Promise.all([engine.close(), expect(search).rejects.toThrow('The thread has ended.')]);
});

test('a search that fails says why, and the next one is answered', async () => {
  const store = createKyselyAgentStore(database.engine);
  await store.load([makeAgent({ name: 'Otter' })]);
  await database.engine.db.schema.alterTable('search_terms').renameTo('lost').execute();
  await expect(store.search({ text: 'otter' })).rejects.toThrow('no such table: search_terms');
  await database.engine.db.schema.alterTable('lost').renameTo('search_terms').execute();
  expect((await store.search({ text: 'otter' }))?.total).toBe(1);
});
