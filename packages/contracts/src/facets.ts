import { z } from 'zod';
import { doc } from './doc.ts';
import { optionFilters, toValues, type AgentFilters, type OptionFilterName } from './filters.ts';
import { formatCount, type TotalBound } from './format.ts';
import { MAX_COUNTED_RESULTS } from './request-limits.ts';
import { listCategoryIds, type Category } from './category.ts';

const count = z.int().min(0);

export const totalBoundSchema = z.literal('lower' satisfies TotalBound).meta({
  description: `lower if a search has more than ${formatCount(MAX_COUNTED_RESULTS)} results, of which only so many are counted.`,
  examples: ['lower'],
});

/** The JSON schema of counts by name: with properties, which more tools read than the names of a record. */
export function toCountsMeta(names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' as const, minimum: 0 }]));
  return { override: { propertyNames: undefined, properties, required: [...names] } };
}

type Counts = { [Name in OptionFilterName]: Record<NonNullable<AgentFilters[Name]>[number], number> };

const countsShape = Object.fromEntries<unknown>(
  optionFilters.map((filter) => {
    const values = toValues(filter);
    const schema = z.record(z.enum(values), count).meta({
      ...toCountsMeta(values),
      description: `The number of agents that each value of the filter ${filter.name} would leave.`,
      examples: [Object.fromEntries(values.map((value, index) => [value, values.length - index]))],
    });
    return [filter.name, schema];
  }),
) as { [Name in OptionFilterName]: z.ZodType<Counts[Name], Counts[Name]> };

/** How many agents of a list each value of a filter would leave, with the other filters applied but not its own. */
export const facetsSchema = z
  .object({
    total: count.meta(doc('The number of agents with all filters.', 12)),
    totalBound: totalBoundSchema.optional(),
    ...countsShape,
  })
  .meta({ id: 'Facets', description: 'How many agents of a list each value of a filter would leave.' });

export type Facets = z.infer<typeof facetsSchema>;

/** Creates the schema of the statistics: `monthlyViews` counts reads of agents in the last 30 days, `agentsPerCategory` has every category. */
export function createStatsSchema(categories: readonly Category[]) {
  const ids = listCategoryIds(categories);
  return z
    .object({
      totalAgents: count.meta(doc('The number of registered agents.', 48)),
      categories: count.meta(doc('The number of categories.', 6)),
      monthlyViews: count.meta(doc('How often agents were read in the last 30 days, without crawlers.', 1_204)),
      agentsPerCategory: z.record(z.string(), count).meta({
        ...toCountsMeta(ids),
        description: 'The number of agents in each category, by its id.',
        examples: [Object.fromEntries(ids.map((id) => [id, 8]))],
      }),
    })
    .meta({ id: 'Stats', description: 'The headline figures of the registry.' });
}

export type Stats = z.infer<ReturnType<typeof createStatsSchema>>;
