import { z } from 'zod';
import { apiAccessSchema, pricingModelSchema } from './new-agent.ts';

const count = z.int().min(0);

/**
 * The facets of a list: `total` agents with all its filters, and how many agents each value of a filter would leave,
 * with the other filters applied but not its own.
 */
export const facetsSchema = z.object({
  total: count,
  pricing: z.record(pricingModelSchema, count),
  apiAccess: z.record(apiAccessSchema, count),
});

/** The facets of a list. */
export type Facets = z.infer<typeof facetsSchema>;
