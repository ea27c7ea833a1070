import { listCategoryIds, siteConfig, statsSchema } from '@agent-registry/contracts';
import { totalOf } from '../agents/agent-store.ts';
import { procedureFor, router, send } from '../trpc.ts';

/** The procedure that reads the headline figures. */
export const statsRouter = router({
  get: procedureFor('stats.get')
    .output(statsSchema)
    .query(async ({ ctx }) => {
      const counts = await ctx.agents.countByCategory();
      const body = {
        totalAgents: totalOf(counts),
        categories: siteConfig.categories.length,
        monthlyViews: await ctx.views.monthlyViews(),
        agentsPerCategory: Object.fromEntries(listCategoryIds().map((id) => [id, counts[id] ?? 0])),
      };
      return send(ctx, { body });
    }),
});
