import { siteConfig, statsSchema } from '@agent-registry/contracts';
import { totalOf } from '../agents/agent-store.ts';
import { procedureFor, router } from '../trpc.ts';

/** The procedure that reads the headline figures. */
export const statsRouter = router({
  get: procedureFor('stats.get')
    .output(statsSchema)
    .query(async ({ ctx }) => {
      const agentsPerCategory = await ctx.agents.countByCategory();
      return {
        totalAgents: totalOf(agentsPerCategory),
        categories: siteConfig.categories.length,
        monthlyViews: await ctx.views.monthlyViews(),
        agentsPerCategory,
      };
    }),
});
