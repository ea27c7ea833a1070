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

/** A letter with seven marks: one character of 24 bytes. */
const LONG_CHARACTER = `\u0F40${'\u0FB5'.repeat(7)}`;

/** An agent whose texts are about as long as they may be: some 60 kB. */
export function makeGreatestAgent(fields: Partial<Agent> = {}): Agent {
  return makeAgent({
    name: `Greatest ${LONG_CHARACTER.repeat(91)}`,
    description: LONG_CHARACTER.repeat(1_000),
    capabilities: Array.from({ length: 16 }, (_, index) => `${index}${LONG_CHARACTER.repeat(58)}`),
    exampleTasks: Array.from({ length: 5 }, (_, index) => `Task ${index} ${LONG_CHARACTER.repeat(57)}`),
    website: `https://example.com/${'字'.repeat(2_000)}`,
    ...fields,
  });
}
