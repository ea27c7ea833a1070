import { z } from 'zod';
import { apiAccessSchema, pricingModelSchema } from './new-agent.ts';

const count = z.int().min(0);

/**
 * The facets of a list: `total` agents with all its filters, and how many agents each value of a filter would leave,
 * with the other filters applied but not its own.
 */
export const facetsSchema = z
  .object({
    total: count.meta({ description: 'The number of agents with all filters.', examples: [12] }),
    pricing: z.record(pricingModelSchema, count).meta({
      description: 'The number of agents that each pricing model would leave.',
      examples: [{ free: 7, freemium: 3, paid: 2, enterprise: 0 }],
    }),
    apiAccess: z.record(apiAccessSchema, count).meta({
      description: 'The number of agents that each kind of API access would leave.',
      examples: [{ yes: 8, no: 3, planned: 1 }],
    }),
  })
  .meta({ id: 'Facets', description: 'How many agents of a list each value of a filter would leave.' });

/** The facets of a list. */
export type Facets = z.infer<typeof facetsSchema>;
