import { apiAccessValues, pricingModelValues, type AgentFilters, type Facets } from '@agent-registry/contracts';
import type { CountedFacets } from './agent-store.ts';

/** Sums counts of agents to the facets of a list with filters. */
export function toFacets(
  { counts, capabilities }: Pick<CountedFacets, 'counts' | 'capabilities'>,
  { pricing, apiAccess, proved }: AgentFilters,
): Facets {
  const sum = (filters: AgentFilters) =>
    counts
      .filter((counted) => filters.pricing?.includes(counted.pricing) ?? true)
      .filter((counted) => filters.apiAccess?.includes(counted.apiAccess) ?? true)
      .reduce((total, counted) => total + (filters.proved ? counted.proved : counted.agents), 0);
  return {
    total: sum({ pricing, apiAccess, proved }),
    pricing: countEach(pricingModelValues, (value) => sum({ pricing: [value], apiAccess, proved })),
    apiAccess: countEach(apiAccessValues, (value) => sum({ pricing, apiAccess: [value], proved })),
    proved: { yes: sum({ pricing, apiAccess, proved: ['yes'] }) },
    capabilities,
  };
}

function countEach<Value extends string>(values: readonly Value[], count: (value: Value) => number) {
  return Object.fromEntries(values.map((value) => [value, count(value)])) as Record<Value, number>;
}
