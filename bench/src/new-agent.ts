import type { Agent, NewAgent } from '@agent-registry/contracts';

/** What registers an agent like this one. */
export function toNewAgent(agent: Agent): NewAgent {
  const { name, description, category, capabilities, contactEmail, website, pricingModel, apiAccess } = agent;
  return { name, description, category, capabilities, contactEmail, website, pricingModel, apiAccess };
}
