import { z } from 'zod';
import { categoryIdSchema } from './category-schema.ts';

const count = z.int().min(0);

/**
 * The headline figures. `monthlyViews` counts the reads of agents over the last 30 days; `agentsPerCategory` has a count
 * for each category, 0 where there is none.
 */
export const statsSchema = z.object({
  totalAgents: count,
  categories: count,
  monthlyViews: count,
  agentsPerCategory: z.record(categoryIdSchema, count),
});

/** The headline figures. */
export type Stats = z.infer<typeof statsSchema>;
