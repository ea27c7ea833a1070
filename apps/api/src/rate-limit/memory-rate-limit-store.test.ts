import { beforeEach, describe, expect, test } from 'vitest';
import type { RateLimitStore } from './rate-limit-store.ts';
import { createMemoryRateLimitStore } from './memory-rate-limit-store.ts';

const MINUTE = 60_000;

describe('budgets in memory', () => {
  let now: number;
  let store: RateLimitStore;

  beforeEach(() => {
    now = Date.parse('2026-03-31T12:00:00.000Z');
    store = createMemoryRateLimitStore(() => now);
  });

  test('are spent one by one, and exhausted until their window ends', async () => {
    expect(await store.increment('a', 1, MINUTE)).toEqual({ used: 1, resetsIn: MINUTE });
    now += 10_000;
    expect(await store.increment('a', 1, MINUTE)).toEqual({ used: 2, resetsIn: 50_000 });
    expect(await store.increment('a', 1, MINUTE)).toEqual({ used: 2, resetsIn: 50_000 });
    expect(await store.increment('b', 1, MINUTE)).toEqual({ used: 1, resetsIn: MINUTE });
    now += 50_000;
    expect(await store.increment('a', 1, MINUTE)).toEqual({ used: 1, resetsIn: MINUTE });
  });

  test('are spent exactly as often as their limit allows by calls at the same time', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => store.increment('a', 3, MINUTE)));
    expect(results.map(({ used }) => used)).toEqual([1, 2, 3, 4, 4]);
  });

  test('are forgotten, those that began first, when there are more than 10,000', async () => {
    await store.increment('first', 5, MINUTE);
    await store.increment('second', 5, MINUTE);
    for (let index = 0; index < 9_999; index += 1) await store.increment(String(index), 5, MINUTE);
    expect((await store.increment('second', 5, MINUTE)).used).toBe(2);
    expect((await store.increment('first', 5, MINUTE)).used).toBe(1);
  });
});
