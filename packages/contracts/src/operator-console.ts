/** Longest reason of an operator's action, in characters as people see them. */
export const MAX_REASON_LENGTH = 500;

/** The states of agents that operators search. */
export const agentStates = ['listed', 'held', 'refused', 'hidden', 'withdrawn'] as const;

/** The state of an agent. */
export type AgentState = (typeof agentStates)[number];
