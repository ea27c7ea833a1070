import type { CategoryId } from '@agent-registry/contracts';
import { useAgentList } from '../../agent-list.ts';
import { isDirectoryPaged } from '../../document-notes.ts';
import { trpc } from '../../trpc.ts';
import { countByCategory } from './count-by-category.ts';

/** How many agents each category has: counted in the full list, or, in a large directory, by the registry. */
export function useCategoryCounts(): { counts: Record<CategoryId, number> | undefined; isPending: boolean } {
  const isPaged = isDirectoryPaged();
  const stats = trpc.stats.get.useQuery(undefined, { enabled: isPaged });
  const { agents, isPending } = useAgentList({}, { enabled: !isPaged });
  return isPaged
    ? { counts: stats.data?.agentsPerCategory, isPending: stats.isPending }
    : { counts: agents && countByCategory(agents), isPending };
}
