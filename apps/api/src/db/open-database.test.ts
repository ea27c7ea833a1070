import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { DatabaseError } from './engine.ts';
import { openDatabase } from './open-database.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

describe.each(engines)('migrations on $name', ({ name, open }) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await open();
  });

  afterEach(() => database.remove());

  test('run once: a database that is opened again keeps what it holds and is not new', async () => {
    const agent = makeAgent();
    await createKyselyAgentStore(database.engine).load([agent]);
    const { engine, isNew } = await openDatabase(database.url);
    const agents = await createKyselyAgentStore(engine).list();
    await engine.close();
    expect(isNew).toBe(false);
    expect(agents).toEqual([agent]);
  });

  test('and later statements are told to who listens', async () => {
    const durations: number[] = [];
    const { engine } = await openDatabase(database.url, { onQuery: (duration) => durations.push(duration) });
    const store = createKyselyAgentStore(engine);
    const countStatements = async (use: () => Promise<unknown>) => {
      durations.length = 0;
      await use();
      return durations.length;
    };
    expect(await countStatements(() => store.load([makeAgent({ name: 'Otter' })]))).toBeGreaterThanOrEqual(4);
    expect(await countStatements(() => store.find(makeAgent().id))).toBe(1);
    expect(await countStatements(() => store.search({ text: 'otter' }))).toBeGreaterThanOrEqual(2);
    expect(durations.every((duration) => duration >= 0)).toBe(true);
    await engine.close();
  });

  test('run on a database that has none of them, which is then new', async () => {
    await database.clear();
    const { engine, isNew } = await openDatabase(database.url);
    const agents = await createKyselyAgentStore(engine).list();
    await engine.close();
    expect(isNew).toBe(true);
    expect(agents).toEqual([]);
  });

  test('make agents findable that a version before them stored', async () => {
    await createKyselyAgentStore(database.engine).load(
      Array.from({ length: 501 }, (_, index) => makeAgent({ name: `Otter ${index}` })),
    );
    await removeCounts();
    await dropTables('agent_tokens', 'search_terms');
    await sql`DELETE FROM kysely_migration WHERE name = '0002-search'`.execute(database.engine.db);
    await sql`CREATE TABLE agent_search (seq integer)`.execute(database.engine.db);
    const { engine, isNew } = await openDatabase(database.url);
    const found = await createKyselyAgentStore(engine).search({ text: 'tter 500' });
    await engine.close();
    expect(isNew).toBe(false);
    expect(found?.agents.map(({ name }) => name)).toEqual(['Otter 500']);
  });

  test('count the agents that a database of an earlier version holds', async () => {
    const store = createKyselyAgentStore(database.engine);
    await store.load([makeAgent(), makeAgent({ category: 'vision' }), makeAgent()]);
    await removeCounts();
    const { engine } = await openDatabase(database.url);
    const counts = await createKyselyAgentStore(engine).countByCategory();
    await engine.close();
    expect(counts).toMatchObject({ automation: 2, vision: 1, chatbot: 0 });
  });

  test('that fail give one sentence', async () => {
    await leaveOnlyDailyViews();
    const error: unknown = await openDatabase(database.url).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseError);
    expect((error as DatabaseError).message).toMatch(/^The database cannot be brought up to date: [^\n]+\.$/);
  });

  test('that fail half-way leave nothing behind and run again once the cause is gone', async () => {
    await leaveOnlyDailyViews();
    await expect(openDatabase(database.url)).rejects.toThrow(DatabaseError);
    await dropTables('daily_views');
    const { engine, isNew } = await openDatabase(database.url);
    await engine.close();
    expect(isNew).toBe(true);
  });

  test('of a later version are refused', async () => {
    await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '2099-01-01')`.execute(
      database.engine.db,
    );
    await expect(openDatabase(database.url)).rejects.toThrow(
      new DatabaseError(
        'The database is that of a newer version of Agent Registry',
        new Error('this version does not know its changes 9999-later'),
      ),
    );
  });

  test.each(['none', 'new'] as const)(
    'are not done where %s are to be, and the refusal names them',
    async (migrate) => {
      await sql`DELETE FROM kysely_migration WHERE name = '0009-ordered-counts'`.execute(database.engine.db);
      await dropTables('hidden_agents');
      await expect(openDatabase(database.url, { migrate })).rejects.toThrow(
        'The database is not up to date: it lacks the changes 0009-ordered-counts, which the command migrate makes.',
      );
      const { engine, isNew, migrations } = await openDatabase(database.url);
      await engine.close();
      expect({ isNew, migrations }).toEqual({ isNew: false, migrations: ['0009-ordered-counts'] });
      await (await openDatabase(database.url, { migrate })).engine.close();
    },
  );

  test('are done on a new database where only new ones are to be brought up to date, and refused where none are', async () => {
    await database.clear();
    await expect(openDatabase(database.url, { migrate: 'none' })).rejects.toThrow(DatabaseError);
    const { engine, isNew } = await openDatabase(database.url, { migrate: 'new' });
    await engine.close();
    expect(isNew).toBe(true);
  });

  async function dropTables(...tables: string[]) {
    for (const table of tables) await database.engine.db.schema.dropTable(table).ifExists().execute();
  }

  /** Undoes the migration that counts the agents, and those that came later. */
  async function removeCounts() {
    const { db } = database.engine;
    await dropTables('agent_counts', 'budgets', 'registration_keys', 'hidden_agents');
    const triggers = { sqlite: ['agents_added', 'agents_removed', 'agents_changed'], postgres: ['agents_counted'] }[
      name
    ];
    for (const trigger of triggers) {
      const place = name === 'postgres' ? sql`ON agents` : sql``;
      await sql`DROP TRIGGER ${sql.ref(trigger)} ${place}`.execute(db);
    }
    await sql`DELETE FROM kysely_migration WHERE name >= '0003'`.execute(db);
  }

  /** Leaves the table that the first migration creates last, so that it fails after the others. */
  const leaveOnlyDailyViews = () =>
    dropTables(
      'kysely_migration',
      'agent_tokens',
      'search_terms',
      'agents',
      'agent_counts',
      'budgets',
      'registration_keys',
      'hidden_agents',
    );
});
