/** The states of agents that are not listed. */
export const unlistedStates = ['hidden', 'held', 'refused', 'withdrawn'] as const;

/**
 * Why an agent is not listed: hidden by the operator, held until its release, refused in place of a release, or
 * withdrawn by its owner.
 */
export type UnlistedState = (typeof unlistedStates)[number];

/** The states of proposed versions. */
export const proposalStates = ['waiting', 'refused', 'released'] as const;

/** The events of which a webhook tells the operator. */
export const eventTypes = [
  'agent.held',
  'agent.listed',
  'agent.updated',
  'agent.tools',
  'agent.reported',
  'agent.removed',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The states of a server in a registry of MCP servers, without `deleted`. */
export const serverStatuses = ['active', 'deprecated'] as const;
