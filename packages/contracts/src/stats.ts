import { z } from 'zod';
import { categoryIdSchema } from './category-schema.ts';

const count = z.int().min(0);

/** The statistics: `monthlyViews` counts reads of agents in the last 30 days, `agentsPerCategory` has every category. */
export const statsSchema = z.object({
  totalAgents: count,
  categories: count,
  monthlyViews: count,
  agentsPerCategory: z.record(categoryIdSchema, count),
});

/** The statistics. */
export type Stats = z.infer<typeof statsSchema>;
