/** Longest reason of an operator's action, in characters as people see them. */
export const MAX_REASON_LENGTH = 500;
/** Most agents that the console changes at once; more are a matter of the command line. */
export const MAX_CHANGED_AGENTS = 10_000;

/** The states of agents that operators search. */
export const agentStates = ['listed', 'held', 'refused', 'hidden', 'withdrawn'] as const;

/** The state of an agent. */
export type AgentState = (typeof agentStates)[number];

/** The changes that the console makes to agents, by the names of their commands. */
export const consoleChanges = ['release', 'refuse', 'hold', 'hide', 'unhide', 'withdraw', 'restore-agent'] as const;

/** A change that the console makes to agents. */
export type ConsoleChange = (typeof consoleChanges)[number];

/** What takes a change back; of the others, nothing does. */
export const undoOf: Partial<Record<ConsoleChange, ConsoleChange>> = {
  release: 'hold',
  refuse: 'hold',
  hide: 'unhide',
  withdraw: 'restore-agent',
  'restore-agent': 'withdraw',
};

/** Whether a change needs a reason. */
export function needsReason(change: ConsoleChange): boolean {
  return change === 'refuse' || change === 'hide';
}
