import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { DatabaseError } from '../database-error.ts';
import { migrateDatabase, migrationNames, openDatabase } from './open-database.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

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
