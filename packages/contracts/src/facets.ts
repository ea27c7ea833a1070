import { z } from 'zod';
import { apiAccessValues, pricingModelValues } from './agent-fields.ts';
import { provedValues } from './website-proof.ts';
import { apiAccessSchema, pricingModelSchema } from './new-agent.ts';
import { capabilityCountSchema } from './suggestions.ts';

const count = z.int().min(0);

/** The JSON schema of counts by name: with properties, which more tools read than the names of a record. */
export function toCountsMeta(names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' as const, minimum: 0 }]));
  return { override: { propertyNames: undefined, properties, required: [...names] } };
}

/**
 * The facets of a list: `total` agents with all its filters, and how many agents each value of a filter would leave,
 * with the other filters applied but not its own.
 */
export const facetsSchema = z
  .object({
    total: count.meta({ description: 'The number of agents with all filters.', examples: [12] }),
    pricing: z.record(pricingModelSchema, count).meta({
      ...toCountsMeta(pricingModelValues),
      description: 'The number of agents that each pricing model would leave.',
      examples: [{ free: 7, freemium: 3, paid: 2, enterprise: 0 }],
    }),
    apiAccess: z.record(apiAccessSchema, count).meta({
      ...toCountsMeta(apiAccessValues),
      description: 'The number of agents that each kind of API access would leave.',
      examples: [{ yes: 8, no: 3, planned: 1 }],
    }),
    proved: z.record(z.enum(provedValues), count).meta({
      ...toCountsMeta(provedValues),
      description: 'The number of agents whose owner proved to control the website.',
      examples: [{ yes: 5 }],
    }),
    capabilities: z
      .array(
        capabilityCountSchema.meta({
          id: 'ListedCapability',
          description: 'A capability, and the number of agents that it would leave.',
        }),
      )
      .meta({
        description: 'Up to eight capabilities that most agents of the list have, each of two agents at least.',
      }),
  })
  .meta({ id: 'Facets', description: 'How many agents of a list each value of a filter would leave.' });

/** The facets of a list. */
export type Facets = z.infer<typeof facetsSchema>;
