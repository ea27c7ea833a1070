import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createViewStore, type ViewStore } from './view-store.ts';

describe.each(engines)('views on $name', ({ open }) => {
  let database: TestDatabase;
  let views: ViewStore;

  beforeAll(async () => {
    database = await open();
    views = createViewStore(database.engine);
  });

  beforeEach(() => database.empty());

  afterAll(() => database.remove());

  test('are 0 at first', async () => {
    expect(await views.sum('2026-01-01')).toBe(0);
  });

  test('sum views from a day on, that day included', async () => {
    await views.add(
      new Map([
        ['2025-12-31', 1],
        ['2026-01-01', 20],
        ['2026-01-02', 300],
      ]),
    );
    expect(await views.sum('2025-12-31')).toBe(321);
    expect(await views.sum('2026-01-01')).toBe(320);
    expect(await views.sum('2026-01-03')).toBe(0);
  });

  test('add later views to those of the same day', async () => {
    await views.add(new Map([['2026-01-01', 2]]));
    await views.add(
      new Map([
        ['2026-01-01', 3],
        ['2026-01-02', 40],
      ]),
    );
    expect(await views.sum('2026-01-01')).toBe(45);
    expect(await views.sum('2026-01-02')).toBe(40);
  });

  test('add the views of all days or of none', async () => {
    const counted = new Map([
      ['2026-01-01', 1],
      ['2026-01-02', Number.NaN],
    ]);
    await expect(views.add(counted)).rejects.toThrow();
    expect(await views.sum('2026-01-01')).toBe(0);
  });
});
