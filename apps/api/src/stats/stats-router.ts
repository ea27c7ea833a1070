import { createStatsSchema, listCategoryIds, type Category, type ReadRequests } from '@agent-registry/contracts';
import { totalOf } from '../agents/total-of.ts';
import { procedureFor, router } from '../trpc.ts';

/** Creates the procedure that reads the headline figures. */
export function createStatsRouter(categories: readonly Category[], readRequests: ReadRequests) {
  return router({
    get: procedureFor('stats.get')
      .input(readRequests['stats.get'].optional())
      .output(createStatsSchema(categories))
      .query(async ({ ctx }) => {
        const counts = await ctx.agents.countByCategory();
        return {
          totalAgents: totalOf(counts),
          categories: categories.length,
          monthlyViews: await ctx.views.monthlyViews(),
          agentsPerCategory: Object.fromEntries(listCategoryIds(categories).map((id) => [id, counts[id] ?? 0])),
        };
      }),
  });
}
