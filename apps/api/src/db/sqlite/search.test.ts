import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAgentStore, type AgentStore } from '../../stores.ts';
import { DatabaseBusyError } from '../../database-error.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';

let database: TestDatabase;
let store: AgentStore;

beforeEach(async () => {
  database = await engines[0].open();
  store = createAgentStore(database.engine);
});

afterEach(() => database.remove());

describe.each([
  { where: 'in place, as among few agents', others: 0, atClose: { status: 'fulfilled' } },
  {
    where: 'in a thread, as among many',
    others: 10_000,
    atClose: { status: 'rejected', reason: new Error('The thread has ended.') },
  },
])('searched $where', ({ others, atClose }) => {
  beforeEach(() => pretendAgents(others));

  test('many searches at once each get their own results', async () => {
    const words = Array.from({ length: 20 }, (_, index) => `word${String.fromCodePoint(97 + index)}`);
    await store.load(words.map((name) => makeAgent({ name })));
    const found = await Promise.all(words.map((text) => store.search({ text, limit: 1 })));
    expect(found.map((page) => page?.agents[0]?.name)).toEqual(words);
  });

  test('a search that fails says why, and the next one is answered', async () => {
    await store.load([makeAgent({ name: 'Otter' })]);
    await database.engine.db.schema.alterTable('agent_changes').renameTo('lost').execute();
    await expect(store.search({ text: 'otter' })).rejects.toThrow('no such table: agent_changes');
    await database.engine.db.schema.alterTable('lost').renameTo('agent_changes').execute();
    expect((await store.search({ text: 'otter' }))?.total).toBe(1);
  });

  test('what was stored after a search is found by the next', async () => {
    await store.load([makeAgent({ name: 'Otter' })]);
    expect((await store.search({ text: 'otter' }))?.total).toBe(1);
    await store.load([makeAgent({ name: 'Otter Two' })]);
    expect((await store.search({ text: 'otter' }))?.total).toBe(2);
  });

  test(`a search under way when the database is closed is ${atClose.status}`, async () => {
    await store.load([makeAgent({ name: 'Otter' })]);
    const [found] = await Promise.allSettled([
      database.engine.search({ text: 'otter', limit: 1 }),
      database.engine.close(),
    ]);
    expect(found).toMatchObject(atClose);
  });
});

test('a registry that grows is searched in place, then in a thread', async () => {
  await store.load([makeAgent({ name: 'Otter' })]);
  expect((await store.search({ text: 'otter' }))?.total).toBe(1);
  await pretendAgents(10_000);
  await store.load([makeAgent({ name: 'Otter Two' })]);
  expect((await store.search({ text: 'otter' }))?.total).toBe(2);
});

test('while a search in the thread has waited for more than two seconds, others are refused', async () => {
  await pretendAgents(10_000);
  await store.load([makeAgent({ name: 'Otter' })]);
  const search = () => database.engine.search({ text: 'otter', limit: 1 });
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  const first = search();
  now.mockReturnValue(2_000);
  const second = search();
  now.mockReturnValue(2_001);
  const third = search();
  await expect(third).rejects.toThrow(DatabaseBusyError);
  expect([(await first)?.total, (await second)?.total]).toEqual([1, 1]);
  expect((await search())?.total).toBe(1);
});

/** Has the next agent the number that it would have after so many others. */
async function pretendAgents(count: number): Promise<void> {
  const { db } = database.engine;
  await sql`DELETE FROM sqlite_sequence WHERE name = 'agents'`.execute(db);
  await sql`INSERT INTO sqlite_sequence (name, seq) VALUES ('agents', ${count})`.execute(db);
}
