import { afterAll, beforeAll, beforeEach, describe, expect, test, afterEach, vi } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createViewStore, type ViewStore, createViewCounter, type ViewCounter } from './view-store.ts';

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

const AGENT_ID = '11111111-1111-4111-8111-111111111111';

describe.each(engines)('views on $name', ({ open }) => {
  let database: TestDatabase;
  let viewStore: ViewStore;
  let views: ViewCounter;
  let now: number;
  let errors: unknown[];
  /** Runs while views are being written. */
  let whileWriting: () => void;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    now = Date.parse('2026-03-31T12:00:00.000Z');
    errors = [];
    whileWriting = () => {};
    viewStore = createViewStore(database.engine);
    const store: ViewStore = {
      ...viewStore,
      add: async (viewsByDay) => {
        whileWriting();
        await viewStore.add(viewsByDay);
      },
    };
    views = createViewCounter({ store, onError: (error) => errors.push(error), now: () => now });
  });

  afterEach(async () => {
    await views.close();
    vi.useRealTimers();
  });

  afterAll(() => database.remove());

  const written = () => viewStore.sum('2000-01-01');

  test('are counted before they are written', async () => {
    views.count(AGENT_ID);
    views.count(AGENT_ID);
    expect(await views.monthlyViews()).toBe(2);
    expect(await written()).toBe(0);
  });

  test('are counted once after they are written', async () => {
    views.count(AGENT_ID);
    await views.flush();
    await views.flush();
    views.count(AGENT_ID);
    expect(await written()).toBe(1);
    expect(await views.monthlyViews()).toBe(2);
  });

  describe.each([
    ['not yet written', async () => {}],
    ['written', () => views.flush()],
  ])('%s', (_state, settle) => {
    test.each([
      ['2026-03-02T00:00:00.000Z', 1, 'on the first of the last 30 UTC days'],
      ['2026-03-01T23:59:59.999Z', 0, 'a moment before the last 30 UTC days'],
      ['2026-03-31T23:59:59.999Z', 1, 'later today'],
    ])('a view of %s counts %i: %s', async (time, expected) => {
      const today = now;
      now = Date.parse(time);
      views.count(AGENT_ID);
      await settle();
      now = today;
      expect(await views.monthlyViews()).toBe(expected);
    });

    test('a view leaves the sum after 30 days', async () => {
      views.count(AGENT_ID);
      await settle();
      now = Date.parse('2026-04-29T23:59:59.999Z');
      expect(await views.monthlyViews()).toBe(1);
      now = Date.parse('2026-04-30T00:00:00.000Z');
      expect(await views.monthlyViews()).toBe(0);
    });
  });

  test('of two days are written to their own days', async () => {
    views.count(AGENT_ID);
    now = Date.parse('2026-04-01T00:00:00.000Z');
    views.count(AGENT_ID);
    await views.flush();
    expect(await viewStore.sum('2026-03-31')).toBe(2);
    expect(await viewStore.sum('2026-04-01')).toBe(1);
  });

  test('that arrive during a write are counted once', async () => {
    let sum: number | Promise<number> | undefined;
    whileWriting = () => {
      sum ??= views.monthlyViews();
      views.count(AGENT_ID);
    };
    views.count(AGENT_ID);
    await views.flush();
    expect(await sum).toBe(2);
    expect(await written()).toBe(1);
  });

  test('are written in the background', async () => {
    views.count(AGENT_ID);
    await vi.advanceTimersByTimeAsync(10_000);
    await expect.poll(written).toBe(1);
  });

  test('are written when the counter is closed, and no more after that', async () => {
    views.count(AGENT_ID);
    await views.close();
    expect(await written()).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  describe('that cannot be written', () => {
    beforeEach(() => database.engine.db.schema.alterTable('daily_views').renameTo('gone').execute());

    const repair = () => database.engine.db.schema.alterTable('gone').renameTo('daily_views').execute();

    test('stay counted, with those that came meanwhile, and are written the next time', async () => {
      whileWriting = () => views.count(AGENT_ID);
      views.count(AGENT_ID);
      await expect(views.flush()).rejects.toThrow();
      whileWriting = () => {};
      await repair();
      expect(await views.monthlyViews()).toBe(2);
      await views.flush();
      expect(await written()).toBe(2);
    });

    test('in the background are reported and do not stop the counter', async () => {
      views.count(AGENT_ID);
      await vi.advanceTimersByTimeAsync(10_000);
      await expect.poll(() => errors).toHaveLength(1);
      await repair();
      await vi.advanceTimersByTimeAsync(10_000);
      await expect.poll(written).toBe(1);
    });
  });
});
