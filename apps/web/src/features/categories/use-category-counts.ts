import type { CategoryId } from '@agent-registry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useAgentList } from '../../api/use-agent-list.ts';
import { useSite } from '../../ssr/site.ts';
import { useApi } from '../../api/trpc.ts';
import { countByCategory } from './count-by-category.ts';

/**
 * How many agents each category has: counted in the full list; where that is too large, or the figures came with the
 * page, counted by the registry.
 */
export function useCategoryCounts(): { counts: Record<CategoryId, number> | undefined; isPending: boolean } {
  const { isPaged } = useSite();
  const stats = useQuery(useApi().queries.stats.get.queryOptions());
  const list = useAgentList({}, { enabled: !isPaged && stats.data === undefined });
  const fullList = isPaged || list.isExcerpt ? undefined : list.agents;
  return {
    counts: fullList ? countByCategory(fullList) : stats.data?.agentsPerCategory,
    isPending: stats.isPending && (isPaged || list.isPending),
  };
}
