import type { Agent } from '../agent.ts';
import { newAgentSchema, type NewAgent } from '../new-agent.ts';

const plain = newAgentSchema.parse({
  name: 'Plain Agent',
  description: 'Does one thing.',
  category: 'automation',
  contactEmail: 'owner@example.com',
});

/** A registration as it is stored: plain, with the defaults of the schema, but for the given fields. */
export function makeNewAgent(fields: Partial<NewAgent> = {}): NewAgent {
  return { ...plain, ...fields };
}

/** An agent with its own id: plain, with the defaults of the schema, but for the given fields. */
export function makeAgent(fields: Partial<Agent> = {}): Agent {
  return {
    id: crypto.randomUUID(),
    ...plain,
    rating: 0,
    reviewCount: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}

/** The registration that would create an agent. */
export function toNewAgent(agent: Agent): NewAgent {
  const fields = Object.keys(newAgentSchema.shape) as (keyof NewAgent)[];
  return Object.fromEntries(fields.map((field) => [field, agent[field]])) as NewAgent;
}
