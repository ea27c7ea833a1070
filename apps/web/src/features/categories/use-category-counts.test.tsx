import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { defaultCategories } from '@agent-registry/contracts';
import { respondWith, queries, renderHook } from '../../testing/render.tsx';
import { useCategoryCounts, countByCategory } from './use-category-counts.ts';

const none = { chatbot: 0, automation: 0, analytics: 0, creative: 0, vision: 0, language: 0 };

test('the agents of each category are counted in the full list', async () => {
  const calls: string[] = [];
  const agents = [makeAgent({ category: 'vision' }), makeAgent({ category: 'vision' })];
  const { result } = renderHook(useCategoryCounts, { fetch: respondWith(200, agents, calls) });
  expect(result.current).toEqual({ counts: undefined, isPending: true });
  await waitFor(() => expect(result.current).toEqual({ counts: { ...none, vision: 2 }, isPending: false }));
  expect(calls).toEqual(['GET /api/stats', 'GET /api/agents']);
});

test('in a large directory the statistics have the counts, and the full list is not requested', async () => {
  const calls: string[] = [];
  const agentsPerCategory = { ...none, language: 16_667 };
  const { result } = renderHook(useCategoryCounts, {
    fetch: respondWith(200, { agentsPerCategory }, calls),
    site: { isPaged: true },
  });
  await waitFor(() => expect(result.current).toEqual({ counts: agentsPerCategory, isPending: false }));
  expect(calls).toEqual(['GET /api/stats']);
});

test('with embedded statistics nothing is requested', () => {
  const calls: string[] = [];
  const agentsPerCategory = { ...none, chatbot: 3 };
  const { result } = renderHook(useCategoryCounts, {
    fetch: respondWith(200, [], calls),
    entries: [[queries.stats.get.queryOptions().queryKey, { agentsPerCategory }]],
  });
  expect(result.current).toEqual({ counts: agentsPerCategory, isPending: false });
  expect(calls).toEqual([]);
});

test('every category has a count, 0 without agents', () => {
  expect(countByCategory([], defaultCategories)).toEqual(none);
});

test('each agent counts in its category', () => {
  const agents = [{ category: 'vision' }, { category: 'chatbot' }, { category: 'vision' }] as const;
  expect(countByCategory(agents, defaultCategories)).toEqual({ ...none, vision: 2, chatbot: 1 });
});
