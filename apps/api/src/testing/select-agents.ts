import { connectsOf, toSortName, type ListedAgent, type SortOrder } from '@agent-registry/contracts';
import type { ListRequest } from '../agents/agent-lists.ts';

/** A plain filter and sort of agents in memory, which lists of the registry are compared with. */
export function selectAgents(
  agents: readonly ListedAgent[],
  { category, pricing, apiAccess, connects, proved, capability, sort = 'newest' }: ListRequest,
): ListedAgent[] {
  return agents
    .filter((agent) => category === undefined || agent.category === category)
    .filter((agent) => pricing?.includes(agent.pricingModel) ?? true)
    .filter((agent) => apiAccess?.includes(agent.apiAccess) ?? true)
    .filter((agent) => connects?.some((way) => connectsOf(agent).includes(way)) ?? true)
    .filter((agent) => proved === undefined || (agent.website !== null && agent.websiteCheckedAt !== undefined))
    .filter((agent) => capability === undefined || agent.capabilities.includes(capability))
    .toSorted((a, b) => comparators[sort](a, b) || compareTexts(a.id, b.id));
}

type Compare = (a: ListedAgent, b: ListedAgent) => number;

const byCreation: Compare = (a, b) => compareTexts(b.createdAt, a.createdAt);
const byRating: Compare = (a, b) => b.rating - a.rating;
const byReviews: Compare = (a, b) => b.reviewCount - a.reviewCount;

const comparators: Record<SortOrder, Compare> = {
  newest: byCreation,
  rating: (a, b) => byRating(a, b) || byReviews(a, b) || byCreation(a, b),
  reviews: (a, b) => byReviews(a, b) || byRating(a, b) || byCreation(a, b),
  name: (a, b) => compareTexts(toSortName(a.name), toSortName(b.name)),
};

/** Compares by code point: the bytes of UTF-8 are in that order. */
function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
