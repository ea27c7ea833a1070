import { randomUUID } from 'node:crypto';
import { isCategoryId, newAgentSchema, type Category, type NewAgentInput } from '@agent-registry/contracts';
import type { createRegistrations } from './registrations.ts';
import samples from './sample-agents.json' with { type: 'json' };

/** An invented agent: a registration with the fields that the registry sets. */
type SampleAgent = NewAgentInput & {
  rating: number;
  reviewCount: number;
  /** How long before loading it was registered, in days, with fractions. */
  addedDaysAgo: number;
};

/** The invented agents of a new database, newest first. Owners are made up, with addresses at example.com. */
export const sampleAgents = samples as readonly SampleAgent[];

const DAY = 86_400_000;

/** Fills a new store with the sample agents of the registry's categories, dated back from now. */
export async function loadSampleAgents(
  store: Pick<ReturnType<typeof createRegistrations>, 'load'>,
  categories: readonly Category[],
): Promise<void> {
  const now = Date.now();
  const ofCategories = sampleAgents.filter(({ category }) => isCategoryId(categories, category));
  await store.load(
    ofCategories.map(({ rating, reviewCount, addedDaysAgo, ...registration }) => ({
      id: randomUUID(),
      ...newAgentSchema.parse(registration),
      rating,
      reviewCount,
      createdAt: new Date(now - addedDaysAgo * DAY).toISOString(),
    })),
  );
}
