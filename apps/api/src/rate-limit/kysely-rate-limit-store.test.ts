import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import type { RateLimitStore } from './rate-limit-store.ts';
import { createKyselyRateLimitStore } from './kysely-rate-limit-store.ts';

const MINUTE = 60_000;

describe.each(engines)('budgets on $name', ({ open }) => {
  let database: TestDatabase;
  let store: RateLimitStore;
  let now: number;

  beforeEach(async () => {
    now = Date.parse('2026-03-31T12:00:00.000Z');
    database = await open();
    store = createKyselyRateLimitStore(database.engine, () => now);
  });

  afterEach(() => database.remove());

  const countRows = async () => (await database.engine.db.selectFrom('budgets').select('id').execute()).length;

  test('are spent one by one, and exhausted until their window ends', async () => {
    expect(await store.increment('a', 2, MINUTE)).toEqual({ used: 1, resetsIn: MINUTE });
    now += 10_000;
    expect(await store.increment('a', 2, MINUTE)).toEqual({ used: 2, resetsIn: 50_000 });
    expect(await store.increment('a', 2, MINUTE)).toEqual({ used: 3, resetsIn: 50_000 });
    now += 49_999;
    expect(await store.increment('a', 2, MINUTE)).toEqual({ used: 3, resetsIn: 1 });
    now += 1;
    expect(await store.increment('a', 2, MINUTE)).toEqual({ used: 1, resetsIn: MINUTE });
  });

  test('are spent apart, whatever their names', async () => {
    const names = ['a', 'A', '', 'a b', "'; DROP TABLE budgets", 'x'.repeat(20_000), '\0'];
    for (const name of names) expect((await store.increment(name, 5, MINUTE)).used).toBe(1);
    expect((await store.increment('a', 5, MINUTE)).used).toBe(2);
  });

  test('are spent exactly as often as their limit allows by many calls of two processes at the same time', async () => {
    const { engine } = await openDatabase(database.url);
    const stores = [store, createKyselyRateLimitStore(engine, () => now)];
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => stores[index % 2]!.increment('shared', 15, MINUTE)),
    );
    await engine.close();
    expect(results.filter(({ used }) => used <= 15).map(({ used }) => used)).toHaveLength(15);
    expect(new Set(results.map(({ used }) => used))).toEqual(new Set(Array.from({ length: 16 }, (_, i) => i + 1)));
  });

  test('whose window is over are removed while others are spent', async () => {
    for (const name of ['a', 'b', 'c']) await store.increment(name, 5, MINUTE);
    expect(await countRows()).toBe(3);
    now += MINUTE;
    await store.increment('d', 5, MINUTE);
    expect(await countRows()).toBe(1);
  });

  test('hold no name of a client', async () => {
    await store.increment('register 192.0.2.1', 5, MINUTE);
    const rows = await database.engine.db.selectFrom('budgets').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('192.0.2.1');
  });

  test('are not written once they are exhausted', async () => {
    const read = () => database.engine.db.selectFrom('budgets').selectAll().execute();
    await store.increment('a', 1, MINUTE);
    const before = await read();
    now += 1_000;
    await store.increment('a', 1, MINUTE);
    expect(await read()).toEqual(before);
  });
});
