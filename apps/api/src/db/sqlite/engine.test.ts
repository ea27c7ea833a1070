import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore } from '../../stores.ts';
import { DatabaseError, DatabaseUnavailableError, DatabaseUnwritableError } from '../../database-error.ts';
import { openDatabase } from '../open-database.ts';
import { openSqliteFile } from './connection.ts';
import { openSqlite } from './engine.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('a SQLite file', () => {
  test.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
  ])('is opened with %s %s, also when it is not new', async (pragma, value) => {
    const file = join(folder, 'registry.db');
    await openSqlite(file).close();
    const engine = openSqlite(file);
    const { rows } = await sql<Record<string, unknown>>`PRAGMA ${sql.raw(pragma)}`.execute(engine.db);
    await engine.close();
    expect(Object.values(rows[0]!)).toEqual([value]);
  });

  test('is created with its folders when missing', async () => {
    const file = join(folder, 'not', 'yet', 'there.db');
    await openSqlite(file).close();
    expect(existsSync(file)).toBe(true);
  });

  test.each([
    ['file:', 'file:'],
    ['file://', 'file:///'],
  ])('may be named by %s and its path', async (prefix) => {
    const file = join(folder, 'registry.db');
    const { engine } = await openDatabase(prefix + file);
    await engine.close();
    expect(existsSync(file)).toBe(true);
  });
});

test('a file that cannot grow refuses a registration as an outage, keeps nothing of it and recovers', async () => {
  const { engine } = await openDatabase(`file:${join(folder, 'registry.db')}`);
  const store = createAgentStore(engine);
  const agent = makeAgent({ description: 'd'.repeat(2_000) });
  const limit = async (pages: number) => {
    await sql`PRAGMA max_page_count = ${sql.raw(String(pages))}`.execute(engine.db);
  };
  await limit(1);
  const fill = Array.from({ length: 100 }, () => makeAgent({ description: 'd'.repeat(2_000) }));
  await expect(store.load(fill)).rejects.toThrow(DatabaseUnwritableError);
  expect(await store.list()).toEqual([]);
  expect(await store.count()).toBe(0);
  await limit(1_000_000);
  await store.load([agent]);
  expect(await store.list()).toEqual([agent]);
  await engine.close();
});

test('a version that cannot be read is told as an outage', async () => {
  const file = join(folder, 'registry.db');
  await (await openDatabase(`file:${file}`)).engine.close();
  const engine = openSqlite(file);
  await createAgentStore(engine).register(makeNewAgent());
  // What was written is in the log alone, as is where in it.
  await truncate(`${file}-wal`);
  expect(() => engine.version()).toThrow(DatabaseUnavailableError);
  await engine.close().catch(() => undefined);
});

test('while another process writes, what is there can be read, and a registration waits for its turn', async () => {
  const file = join(folder, 'registry.db');
  const { engine } = await openDatabase(`file:${file}`);
  const store = createAgentStore(engine);
  const agent = makeAgent();
  await store.load([agent]);
  const other = openSqliteFile(file);
  other.exec('BEGIN IMMEDIATE');
  let isRegistered = false;
  const registration = store.register(makeNewAgent()).then((registered) => {
    isRegistered = true;
    return registered.agent;
  });
  for (let times = 0; times < 5; times += 1) {
    expect(await store.find(agent.id)).toEqual(agent);
    await setImmediate();
  }
  expect(isRegistered).toBe(false);
  other.exec('COMMIT');
  expect(await store.find((await registration).id)).toEqual(await registration);
  other.close();
  await engine.close();
});

test('what is written does not stay in the log: it comes into the file, and the log begins anew', async () => {
  const file = join(folder, 'registry.db');
  const { engine } = await openDatabase(`file:${file}`);
  const store = createAgentStore(engine);
  const size = async (path: string) => (await stat(path)).size;
  while ((await size(file)) < 10_000_000) {
    await store.load(Array.from({ length: 50 }, () => makeAgent({ description: 'd'.repeat(8_000) })));
  }
  expect(await size(`${file}-wal`)).toBeLessThan(8_000_000);
  await engine.close();
});

test('what belongs to a transaction that has ended is not written by itself', async () => {
  const { engine } = await openDatabase(`file:${join(folder, 'registry.db')}`);
  const store = createAgentStore(engine);
  const transaction = await engine.db.startTransaction().execute();
  // As SQLite does where it cannot write.
  await sql`ROLLBACK`.execute(transaction);
  const insertion = transaction.insertInto('daily_views').values({ day: '2026-01-01', views: 1 }).execute();
  await expect(insertion).rejects.toThrow('The transaction has ended.');
  await transaction.rollback().execute();
  await store.register(makeNewAgent());
  expect(await store.count()).toBe(1);
  expect(await engine.db.selectFrom('daily_views').selectAll().execute()).toEqual([]);
  await engine.close();
});

describe('what is no database', () => {
  test('a folder in its place cannot be opened', async () => {
    await mkdir(join(folder, 'registry.db'));
    await expectRefusal(join(folder, 'registry.db'));
  });

  test('a file in place of its folder cannot be opened', async () => {
    await writeFile(join(folder, 'data'), '');
    await expectRefusal(join(folder, 'data', 'registry.db'));
  });

  test('a text file cannot be opened and is left as it was', async () => {
    const file = join(folder, 'notes.txt');
    const notes = 'This is not a database.\n'.repeat(100);
    await writeFile(file, notes);
    await expectRefusal(file);
    expect(await readFile(file, 'utf8')).toBe(notes);
  });

  async function expectRefusal(file: string) {
    const error: unknown = await openDatabase(`file:${file}`).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseError);
    const { message, cause } = error as DatabaseError;
    expect(message).toMatch(/^The database .+ cannot be opened: [^\n]+\.$/);
    expect(message).toContain(file);
    expect(cause).toBeInstanceOf(Error);
  }
});
