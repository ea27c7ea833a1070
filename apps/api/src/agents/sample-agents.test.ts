import { categoryIds, newAgentSchema } from '@agent-registry/contracts';
import { describe, expect, test } from 'vitest';
import { sampleAgents } from './sample-agents.ts';

test('there are 42 sample agents, each with a name of its own', () => {
  expect(new Set(sampleAgents.map(({ name }) => name)).size).toBe(42);
  expect(sampleAgents).toHaveLength(42);
});

test('sample agents are newest first', () => {
  const days = sampleAgents.map(({ addedDaysAgo }) => addedDaysAgo);
  expect(days).toEqual(days.toSorted((a, b) => a - b));
});

test('every category has sample agents', () => {
  expect(new Set(sampleAgents.map(({ category }) => category))).toEqual(new Set(categoryIds));
});

describe.each(sampleAgents)('$name', ({ rating, reviewCount, addedDaysAgo, ...agent }) => {
  test('is a registration that would be accepted, and stored as it stands', () => {
    expect(newAgentSchema.parse(agent)).toEqual(agent);
  });

  test('has a rating of 0.0 to 5.0 with one decimal, and 0 exactly when there are no reviews', () => {
    expect(rating).toBeGreaterThanOrEqual(0);
    expect(rating).toBeLessThanOrEqual(5);
    expect(Number(rating.toFixed(1))).toBe(rating);
    expect(Number.isInteger(reviewCount)).toBe(true);
    expect(reviewCount).toBeGreaterThanOrEqual(0);
    expect(reviewCount === 0).toBe(rating === 0);
  });

  test('was not registered in the future', () => {
    expect(addedDaysAgo).toBeGreaterThan(0);
  });

  test('has made-up addresses at example.com', () => {
    expect(agent.contactEmail).toMatch(/[@.]example\.com$/);
    if (agent.website) expect(new URL(agent.website).hostname).toMatch(/(^|\.)example\.com$/);
  });
});
