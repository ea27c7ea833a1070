import { categories, statsSchema } from '@agent-registry/contracts';
import { procedureFor, router } from '../trpc.ts';

/** The procedure that reads the headline figures. */
export const statsRouter = router({
  get: procedureFor('stats.get')
    .output(statsSchema)
    .query(async ({ ctx }) => {
      const agentsPerCategory = await ctx.agents.countByCategory();
      return {
        totalAgents: Object.values(agentsPerCategory).reduce((sum, agents) => sum + agents, 0),
        categories: categories.length,
        monthlyViews: await ctx.views.monthlyViews(),
        agentsPerCategory,
      };
    }),
});
