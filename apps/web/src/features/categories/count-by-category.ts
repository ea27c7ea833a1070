import { categoryIds, type Agent, type CategoryId } from '@agent-registry/contracts';

/** Counts the agents of each category. */
export function countByCategory(agents: readonly Pick<Agent, 'category'>[]): Record<CategoryId, number> {
  const counts = Object.fromEntries(categoryIds.map((id) => [id, 0])) as Record<CategoryId, number>;
  for (const { category } of agents) counts[category] += 1;
  return counts;
}
