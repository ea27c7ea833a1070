import { z } from 'zod';
import { listCategoryIds, type Category } from './category.ts';
import { toCountsMeta } from './facets.ts';

const count = z.int().min(0);

/** Creates the schema of the statistics: `monthlyViews` counts reads of agents in the last 30 days, `agentsPerCategory` has every category. */
export function createStatsSchema(categories: readonly Category[]) {
  const ids = listCategoryIds(categories);
  return z
    .object({
      totalAgents: count.meta({ description: 'The number of registered agents.', examples: [48] }),
      categories: count.meta({ description: 'The number of categories.', examples: [6] }),
      monthlyViews: count.meta({
        description: 'How often agents were read in the last 30 days, without crawlers.',
        examples: [1_204],
      }),
      agentsPerCategory: z.record(z.string(), count).meta({
        ...toCountsMeta(ids),
        description: 'The number of agents in each category, by its id.',
        examples: [Object.fromEntries(ids.map((id) => [id, 8]))],
      }),
    })
    .meta({ id: 'Stats', description: 'The headline figures of the registry.' });
}

/** The statistics. */
export type Stats = z.infer<ReturnType<typeof createStatsSchema>>;
