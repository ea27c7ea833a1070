import { categories, statsSchema } from '@agent-registry/contracts';
import { procedureFor, router } from '../trpc.ts';

/** The procedure that reads the headline figures. */
export const statsRouter = router({
  get: procedureFor('stats.get')
    .output(statsSchema)
    .query(async ({ ctx }) => ({
      totalAgents: await ctx.agents.count(),
      categories: categories.length,
      monthlyViews: await ctx.views.monthlyViews(),
    })),
});
