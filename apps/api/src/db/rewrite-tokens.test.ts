import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { toTokens } from '../search/agent-tokens.ts';
import { engines } from '../testing/engines.ts';
import { migrateDatabase, migrationNames } from './open-database.ts';

test.each(engines)('a migration that changed tokens is followed by new ones on $name', async ({ open }) => {
  const database = await open();
  onTestFinished(() => database.remove());
  const { engine } = database;
  const store = createAgentStore(engine);
  const agents = Array.from({ length: 201 }, (_, index) =>
    makeAgent({
      name: `Otter ${index}`,
      category: 'vision',
      capabilities: ['Counting'],
      website: 'https://www.otter.example/a',
      websiteCheckedAt: '2026-02-01T00:00:00.000Z',
      exampleTasks: index === 0 ? ['Count the ferries.'] : undefined,
    }),
  );
  await store.load(agents);
  const total = async (text: string) => (await store.search({ text, limit: 1 }))?.total;
  const searches = ['category:vision', 'capability:counting', 'by:otter.example'];

  await engine.db.transaction().execute(async (transaction) => {
    const rows = await transaction.selectFrom('agents').select(['seq', 'id']).execute();
    await engine.tokens.clear(transaction);
    await transaction.deleteFrom('agent_terms').execute();
    const indexed = rows.map(({ seq, id }) => {
      const { tokens, terms } = toTokens(
        agents.find((agent) => agent.id === id)!,
        engine.categories,
      );
      return { seq, tokens: tokens.filter((token) => !/^\$(?:category|capability|by|proved)_/.test(token)), terms };
    });
    await engine.tokens.add(transaction, indexed);
  });
  for (const text of searches) expect(await total(`otter ${text}`)).not.toBe(201);

  await sql`DELETE FROM kysely_migration WHERE name >= '0007-field-tokens'`.execute(engine.db);
  const migrations = Object.fromEntries(migrationNames.map((name) => [name, async () => {}]));
  await migrateDatabase(engine, 'any', migrations);
  for (const text of searches) expect(await total(`otter ${text}`)).toBe(201);
  expect((await store.search({ text: 'otter', proved: ['yes'], limit: 1 }))?.total).toBe(201);
  expect([
    await total('ferries'),
    (await store.search({ text: 'otter 200', limit: 1 }))?.full,
    await total('counting'),
  ]).toEqual([1, 1, 201]);
});
