import { randomUUID } from 'node:crypto';
import { isCategoryId, newAgentSchema, type Category } from '@agent-registry/contracts';
import type { createRegistrations } from './registrations.ts';
import { sampleAgents } from './sample-agents.ts';

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
