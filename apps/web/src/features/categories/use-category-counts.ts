import { useQuery } from '@tanstack/react-query';
import { useAgentList } from '../../api/use-agent-list.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { useSite } from '../../lib/site.ts';
import { useApi } from '../../api/trpc.ts';
import type { Agent, Category } from '@agent-registry/contracts';

/** The number of agents per category: from the statistics in a large directory or if they are loaded, else from the full list. */
export function useCategoryCounts(): { counts: Record<string, number> | undefined; isPending: boolean } {
  const { isPaged } = useSite();
  const { categories } = useSiteConfig();
  const stats = useQuery(useApi().queries.stats.get.queryOptions());
  const list = useAgentList({}, { enabled: !isPaged && stats.data === undefined });
  const fullList = isPaged || list.isExcerpt ? undefined : list.agents;
  return {
    counts: fullList ? countByCategory(fullList, categories) : stats.data?.agentsPerCategory,
    isPending: stats.isPending && (isPaged || list.isPending),
  };
}

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
