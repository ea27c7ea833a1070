import { defaultCategories } from '@agent-registry/contracts';
import { expect, test } from 'vitest';
import { countByCategory } from './use-category-counts.ts';

const none = { chatbot: 0, automation: 0, analytics: 0, creative: 0, vision: 0, language: 0 };

test('every category has a count, 0 without agents', () => {
  expect(countByCategory([], defaultCategories)).toEqual(none);
});

test('each agent counts in its category', () => {
  const agents = [{ category: 'vision' }, { category: 'chatbot' }, { category: 'vision' }] as const;
  expect(countByCategory(agents, defaultCategories)).toEqual({ ...none, vision: 2, chatbot: 1 });
});
