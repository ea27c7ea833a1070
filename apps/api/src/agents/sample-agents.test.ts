import { categoryIds, createImportedAgentSchema, defaultCategories } from '@agent-registry/contracts';
import { expect, test } from 'vitest';
import { sampleAgents } from './load-sample-agents.ts';

const importedAgentSchema = createImportedAgentSchema(defaultCategories);

test('there are 42 sample agents of all categories, newest first, with unique names', () => {
  expect(new Set(sampleAgents.map(({ name }) => name)).size).toBe(42);
  expect(sampleAgents).toHaveLength(42);
  expect(new Set(sampleAgents.map(({ category }) => category))).toEqual(new Set(categoryIds));
  const days = sampleAgents.map(({ addedDaysAgo }) => addedDaysAgo);
  expect(days).toEqual(days.toSorted((a, b) => a - b));
  expect(days[0]).toBeGreaterThan(0);
});

test('each sample agent is valid, has a rating only with reviews, and uses addresses at example.com', () => {
  for (const { addedDaysAgo: _addedDaysAgo, ...agent } of sampleAgents) {
    expect(importedAgentSchema.parse(agent)).toMatchObject(agent);
    expect(agent.reviewCount === 0).toBe(agent.rating === 0);
    expect(agent.contactEmail).toMatch(/[@.]example\.com$/);
    if (agent.website) expect(new URL(agent.website).hostname).toMatch(/(^|\.)example\.com$/);
  }
});
