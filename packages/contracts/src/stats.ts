import { z } from 'zod';
import { toCategoryMeta } from './category-schema.ts';
import { listCategoryIds } from './site-config.ts';

const count = z.int().min(0);

/** The statistics: `monthlyViews` counts reads of agents in the last 30 days, `agentsPerCategory` has every category. */
export const statsSchema = z
  .object({
    totalAgents: count.meta({ description: 'The number of registered agents.', examples: [48] }),
    categories: count.meta({ description: 'The number of categories.', examples: [6] }),
    monthlyViews: count.meta({
      description: 'How often agents were read in the last 30 days, without crawlers.',
      examples: [1_204],
    }),
    agentsPerCategory: z.record(z.string().meta(toCategoryMeta()), count).meta({
      get required() {
        return listCategoryIds();
      },
      description: 'The number of agents in each category, by its id.',
      get examples() {
        return [Object.fromEntries(listCategoryIds().map((id) => [id, 8]))];
      },
    }),
  })
  .meta({ id: 'Stats', description: 'The headline figures of the registry.' });

/** The statistics. */
export type Stats = z.infer<typeof statsSchema>;
