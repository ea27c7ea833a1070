import { expect, test } from 'vitest';
import { createQueryClient } from './trpc.ts';

test('data never becomes stale, and no call is repeated by itself', () => {
  expect(createQueryClient().getDefaultOptions()).toMatchObject({
    queries: { staleTime: Infinity, refetchOnWindowFocus: false, refetchInterval: false, retry: false },
    mutations: { retry: false },
  });
});
