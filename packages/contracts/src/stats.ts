import { z } from 'zod';

/** The headline figures. `monthlyViews` counts the reads of agents over the last 30 days. */
export const statsSchema = z.object({
  totalAgents: z.int().min(0),
  categories: z.int().min(0),
  monthlyViews: z.int().min(0),
});

/** The headline figures. */
export type Stats = z.infer<typeof statsSchema>;
