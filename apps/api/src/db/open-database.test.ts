import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { DatabaseError } from '../database-error.ts';
import { defaultConfig } from '../config.ts';
import type { Engine } from './engine.ts';
import { databasePath, openDatabase } from './open-database.ts';
import { openPostgres } from './postgres/engine.ts';
import { SCHEMA } from './schema/create-schema.ts';
import { openSqlite } from './sqlite/engine.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

describe.each(engines)('opening a database on $name', ({ open }) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await open();
  });

  afterEach(() => database.remove());

  test('a reopened database keeps its content and is not new', async () => {
    const agent = makeAgent();
    await createAgentStore(database.engine).load([agent]);
    const { engine, isNew } = await openDatabase(database.url);
    const agents = await createAgentStore(engine).list();
    await engine.close();
    expect(isNew).toBe(false);
    expect(agents).toEqual([agent]);
  });

  test('the query listener receives the statements', async () => {
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

  test('a database without tables gets them and is new', async () => {
    await database.clear();
    const { engine, isNew } = await openDatabase(database.url);
    const agents = await createAgentStore(engine).list();
    await engine.close();
    expect(isNew).toBe(true);
    expect(agents).toEqual([]);
  });

  test('tables that cannot be created are an error of one sentence', async () => {
    await leaveOnlyAgentCounts();
    const error: unknown = await openDatabase(database.url).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseError);
    expect((error as DatabaseError).message).toMatch(/^The tables cannot be created: [^\n]+\.$/);
  });

  test('a failed creation is rolled back and can run again', async () => {
    await leaveOnlyAgentCounts();
    await expect(openDatabase(database.url)).rejects.toThrow(DatabaseError);
    await run((db) => db.schema.dropTable('agent_counts').execute());
    const { engine, isNew } = await openDatabase(database.url);
    await engine.close();
    expect(isNew).toBe(true);
  });

  test.each([
    { names: ['0001-first-release'] },
    { names: ['0001-first-release', '0026-changes-in-order'] },
    { names: ['9999-later'] },
  ])(
    'a database with the migrations $names is refused with the way over a backup, and stays as it is',
    async ({ names }) => {
      const { db } = database.engine;
      await sql`DELETE FROM kysely_migration`.execute(db);
      for (const migration of names) {
        await sql`INSERT INTO kysely_migration (name, timestamp) VALUES (${migration}, '2026-01-01')`.execute(db);
      }
      await sql`DROP TABLE daily_views`.execute(db);
      const read = async () => [
        await db.introspection.getTables({ withInternalKyselyTables: true }),
        (await sql`SELECT * FROM kysely_migration ORDER BY name`.execute(db)).rows,
      ];
      const before = await read();
      for (const create of [true, false]) {
        await expect(openDatabase(database.url, { create })).rejects.toThrow(
          `The database has the schema ${names.at(-1)}, and this version needs ${SCHEMA}: make a backup with the version that made it, and restore that into a new database.`,
        );
      }
      expect(await read()).toEqual(before);
    },
  );

  test('a database without tables is refused where none are to be created', async () => {
    await database.clear();
    await expect(openDatabase(database.url, { create: false })).rejects.toThrow(DatabaseError);
    await (await openDatabase(database.url)).engine.close();
    const { engine, isNew } = await openDatabase(database.url, { create: false });
    await engine.close();
    expect(isNew).toBe(false);
  });

  test('processes that start together create the tables once', async () => {
    await database.clear();
    const opened = await Promise.all(Array.from({ length: 6 }, () => openDatabase(database.url)));
    for (const { engine } of opened) await engine.close();
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  /** Has a table of the same name in the empty database, so that the creation fails after it has created others. */
  async function leaveOnlyAgentCounts() {
    await database.clear();
    await run((db) => db.schema.createTable('agent_counts').addColumn('category', 'text').execute());
  }

  /** Uses the database as it is. */
  async function run(use: (db: Engine['db']) => Promise<unknown>) {
    const path = databasePath(database.url);
    const engine = path === undefined ? openPostgres(database.url, defaultConfig) : openSqlite(path);
    await use(engine.db);
    await engine.close();
  }
});
