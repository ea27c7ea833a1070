import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createRateLimitStore, type RateLimitStore } from './rate-limit-store.ts';
import { createMemoryRateLimitStore } from './rate-limiter.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe.each(engines)('rate limits on $name', ({ open }) => {
  let database: TestDatabase;
  let store: RateLimitStore;
  let now: number;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  beforeEach(() => {
    now = Date.parse('2026-03-31T12:00:00.000Z');
    store = createRateLimitStore(database.engine, () => now);
  });

  afterAll(() => database.remove());

  const countRows = async () => (await database.engine.db.selectFrom('rate_limits').select('id').execute()).length;

  test('count calls until the window ends', async () => {
    expect(await store.increment('a', 2)).toEqual({ used: 1, resetsIn: MINUTE });
    now += 10_000;
    expect(await store.increment('a', 2)).toEqual({ used: 2, resetsIn: 50_000 });
    expect(await store.increment('a', 2)).toEqual({ used: 3, resetsIn: 50_000 });
    now += 49_999;
    expect(await store.increment('a', 2)).toEqual({ used: 3, resetsIn: 1 });
    now += 1;
    expect(await store.increment('a', 2)).toEqual({ used: 1, resetsIn: MINUTE });
  });

  test('count each key separately, with any characters', async () => {
    const names = ['a', 'A', '', 'a b', "'; DROP TABLE rate_limits", 'x'.repeat(20_000), '\0'];
    for (const name of names) expect((await store.increment(name, 5)).used).toBe(1);
    expect((await store.increment('a', 5)).used).toBe(2);
  });

  test('allow exactly their limit to concurrent calls of two processes', async () => {
    const { engine } = await openDatabase(database.url);
    const stores = [store, createRateLimitStore(engine, () => now)];
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => stores[index % 2]!.increment('shared', 15)),
    );
    await engine.close();
    expect(results.filter(({ used }) => used <= 15).map(({ used }) => used)).toHaveLength(15);
    expect(new Set(results.map(({ used }) => used))).toEqual(new Set(Array.from({ length: 16 }, (_, i) => i + 1)));
  });

  test('count calls in transactions of two processes exactly, up to the first limit that is used up', async () => {
    const { engine } = await openDatabase(database.url);
    const processes = [database.engine, engine].map((used) => ({ ...used, ...createRateLimitStore(used, () => now) }));
    const call = (client: string) => [
      { key: client, limit: 5, window: MINUTE, amount: 1 },
      { key: 'bytes', limit: 1_000, window: DAY, amount: 10 },
    ];
    const groups = Array.from({ length: 8 }, (_, index) => {
      const { db, countCalls } = processes[index % 2]!;
      return db.transaction().execute((transaction) => countCalls(transaction, [call('a'), call('b')]));
    });
    const usages = (await Promise.all(groups)).flat();
    await engine.close();
    expect(usages.filter(([first]) => first!.used <= 5)).toHaveLength(10);
    expect(usages.filter(([first]) => first!.used > 5).every(({ length }) => length === 1)).toBe(true);
    expect(await store.increment('bytes', 1_000, DAY, 10)).toMatchObject({ used: 110 });
    now += MINUTE;
    const [[again] = []] = await database.engine.db
      .transaction()
      .execute((transaction) => createRateLimitStore(database.engine, () => now).countCalls(transaction, [call('a')]));
    expect(again).toEqual({ used: 1, resetsIn: MINUTE });
  });

  test('do not count calls of a transaction that is rolled back', async () => {
    const { countCalls } = createRateLimitStore(database.engine, () => now);
    const failing = database.engine.db.transaction().execute(async (transaction) => {
      await countCalls(transaction, [[{ key: 'a', limit: 5, window: MINUTE, amount: 1 }]]);
      throw new Error('The registration failed');
    });
    await expect(failing).rejects.toThrow('The registration failed');
    expect((await store.increment('a', 5)).used).toBe(1);
  });

  test('delete ended windows', async () => {
    for (const name of ['a', 'b', 'c']) await store.increment(name, 5);
    expect(await countRows()).toBe(3);
    now += MINUTE;
    await store.increment('d', 5);
    expect(await countRows()).toBe(1);
  });

  test('end a window that was started by a clock a day ahead', async () => {
    now += DAY;
    for (let call = 0; call < 3; call += 1) await store.increment('a', 2);
    await store.increment('b', 2);
    now -= DAY;
    expect(await store.increment('a', 2)).toEqual({ used: 1, resetsIn: MINUTE });
    expect(await store.increment('a', 2)).toEqual({ used: 2, resetsIn: MINUTE });
  });

  test('count within a day, if that is asked for', async () => {
    expect(await store.increment('a', 2, DAY)).toEqual({ used: 1, resetsIn: DAY });
    now += DAY - 1;
    await store.increment('b', 2);
    expect(await store.increment('a', 2, DAY)).toEqual({ used: 2, resetsIn: 1 });
    now += 1;
    expect(await store.increment('a', 2, DAY)).toEqual({ used: 1, resetsIn: DAY });
  });

  test('hold for a process whose clock is some seconds behind', async () => {
    await store.increment('a', 1);
    now -= 5_000;
    expect(await store.increment('a', 1)).toEqual({ used: 2, resetsIn: MINUTE + 5_000 });
  });

  test('store no client address', async () => {
    await store.increment('register 192.0.2.1', 5);
    const rows = await database.engine.db.selectFrom('rate_limits').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('192.0.2.1');
  });

  test('write nothing once they are used up', async () => {
    const read = () => database.engine.db.selectFrom('rate_limits').selectAll().execute();
    await store.increment('a', 1);
    const before = await read();
    now += 1_000;
    await store.increment('a', 1);
    expect(await read()).toEqual(before);
  });
});

describe('rate limits in memory', () => {
  let now: number;
  let store: RateLimitStore;

  beforeEach(() => {
    now = 0;
    store = createMemoryRateLimitStore(() => now);
  });

  test('count calls until the window ends', async () => {
    expect(await store.increment('a', 1)).toEqual({ used: 1, resetsIn: MINUTE });
    now += 10_000;
    expect(await store.increment('a', 1)).toEqual({ used: 2, resetsIn: 50_000 });
    expect(await store.increment('a', 1)).toEqual({ used: 2, resetsIn: 50_000 });
    expect(await store.increment('b', 1)).toEqual({ used: 1, resetsIn: MINUTE });
    now += 50_000;
    expect(await store.increment('a', 1)).toEqual({ used: 1, resetsIn: MINUTE });
  });

  test('allow exactly their limit to concurrent calls', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => store.increment('a', 3)));
    expect(results.map(({ used }) => used)).toEqual([1, 2, 3, 4, 4]);
  });

  test('drop the oldest windows beyond 10,000', async () => {
    await store.increment('first', 5);
    await store.increment('second', 5);
    for (let index = 0; index < 9_999; index += 1) await store.increment(String(index), 5);
    expect((await store.increment('second', 5)).used).toBe(2);
    expect((await store.increment('first', 5)).used).toBe(1);
  });
});
