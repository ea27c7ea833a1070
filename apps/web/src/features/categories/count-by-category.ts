import type { Agent, Category } from '@agent-registry/contracts';

/** Counts the agents of each category. */
export function countByCategory(
  agents: readonly Pick<Agent, 'category'>[],
  categories: readonly Category[],
): Record<string, number> {
  const counts = Object.fromEntries(categories.map(({ id }) => [id, 0]));
  for (const { category } of agents) {
    // An agent whose category was removed is in none of them.
    if (counts[category] !== undefined) counts[category] += 1;
  }
  return counts;
}
