import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, onTestFinished } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { DatabaseError } from '../database-error.ts';
import { migrateDatabase, migrationNames, openDatabase } from './open-database.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { toTokens } from '../search/agent-tokens.ts';

describe.each(engines)('migrations on $name', ({ name, open }) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await open();
  });

  afterEach(() => database.remove());

  test('migrations run once: a reopened database keeps its content and is not new', async () => {
    const agent = makeAgent();
    await createAgentStore(database.engine).load([agent]);
    const { engine, isNew } = await openDatabase(database.url);
    const agents = await createAgentStore(engine).list();
    await engine.close();
    expect(isNew).toBe(false);
    expect(agents).toEqual([agent]);
  });

  test('the query listener receives the statements of migrations and later statements', async () => {
    const durations: number[] = [];
    const { engine } = await openDatabase(database.url, { onQuery: (duration) => durations.push(duration) });
    const store = createAgentStore(engine);
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

  test('a database without migrations is migrated and is new', async () => {
    await database.clear();
    const { engine, isNew } = await openDatabase(database.url);
    const agents = await createAgentStore(engine).list();
    await engine.close();
    expect(isNew).toBe(true);
    expect(agents).toEqual([]);
  });

  test('a failed migration throws an error of one sentence', async () => {
    await leaveOnlyAgentCounts();
    const error: unknown = await openDatabase(database.url).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseError);
    expect((error as DatabaseError).message).toMatch(/^The database cannot be migrated: [^\n]+\.$/);
  });

  test('a failed migration is rolled back and can run again', async () => {
    await leaveOnlyAgentCounts();
    await expect(openDatabase(database.url)).rejects.toThrow(DatabaseError);
    await database.engine.db.schema.dropTable('agent_counts').execute();
    const { engine, isNew } = await openDatabase(database.url);
    await engine.close();
    expect(isNew).toBe(true);
  });

  test('a database of a newer version is refused', async () => {
    await addMigration('9999-later');
    await expect(openDatabase(database.url)).rejects.toThrow(
      'The database was made by a newer version of Agent Registry: this version does not know the migrations 9999-later.',
    );
  });

  test.each(['none', 'new'] as const)('the error names the missing migrations with migrate: %s', async (which) => {
    const run: string[] = [];
    const migrations = Object.fromEntries(
      [...migrationNames, '9999-next'].map((migration) => [migration, async () => void run.push(migration)]),
    );
    await expect(migrateDatabase(database.engine, which, migrations)).rejects.toThrow(
      'The database is not up to date: it lacks the migrations 9999-next, which the command migrate runs.',
    );
    expect(await migrateDatabase(database.engine, 'any', migrations)).toEqual({
      isNew: false,
      migrations: ['9999-next'],
    });
    expect(run).toEqual(['9999-next']);
    expect(await migrateDatabase(database.engine, which, migrations)).toEqual({ isNew: false, migrations: [] });
  });

  test('a new database is migrated with migrate: new and refused with migrate: none', async () => {
    await database.clear();
    await expect(openDatabase(database.url, { migrate: 'none' })).rejects.toThrow(DatabaseError);
    const { engine, isNew } = await openDatabase(database.url, { migrate: 'new' });
    await engine.close();
    expect(isNew).toBe(true);
  });

  const addMigration = (migration: string) =>
    sql`INSERT INTO kysely_migration (name, timestamp) VALUES (${migration}, '2026-01-01')`.execute(database.engine.db);

  /** Leaves one table, so that a migration fails after it has created others. */
  async function leaveOnlyAgentCounts() {
    for (const table of [
      'kysely_migration',
      'agent_changes',
      'change_log',
      'agent_tokens',
      'agent_terms',
      'agent_views',
      'name_starts',
      'proposed_versions',
      'capability_counts',
      'agent_capabilities',
      'agents',
      'daily_figures',
      'daily_views',
      'rate_limits',
      'registration_keys',
      'reports',
      'secrets',
      'unlisted_agents',
      'website_hosts',
      'sources',
      'agent_sources',
      'pinned_fields',
      'operator_actions',
      'operator_events',
      'refused_events',
      'webhook',
      'expiry_clock',
      'server_names',
      'server_name_key',
      'server_documents',
      'connection_checks',
    ]) {
      await database.engine.db.schema.dropTable(table).execute();
    }
    if (name === 'postgres') await sql`DROP FUNCTION count_agents`.execute(database.engine.db);
  }
});

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
