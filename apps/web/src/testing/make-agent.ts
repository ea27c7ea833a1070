import type { Agent } from '@agent-registry/contracts';

/** Makes an agent with defaults for all other fields. */
export function makeAgent(fields: Partial<Agent> = {}): Agent {
  return {
    id: crypto.randomUUID(),
    name: 'Plain Agent',
    description: 'Does one thing.',
    category: 'automation',
    capabilities: [],
    contactEmail: 'owner@example.com',
    website: null,
    pricingModel: 'free',
    apiAccess: 'no',
    rating: 0,
    reviewCount: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}
