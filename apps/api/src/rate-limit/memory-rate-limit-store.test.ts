import { beforeEach, describe, expect, test } from 'vitest';
import type { RateLimitStore } from './rate-limit-store.ts';
import { createMemoryRateLimitStore } from './rate-limit-store.ts';

const MINUTE = 60_000;

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
