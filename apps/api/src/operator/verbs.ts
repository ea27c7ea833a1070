import { agentStates, type AgentPatch, type AgentState } from '@agent-registry/contracts';
import type { AgentSelection, SelectedAgent } from '../agents/select-agents.ts';
import type { NamedAgent } from './change-in-bulk.ts';
import type { OperatorStore } from './operator-store.ts';

/** The verbs of operators: commands, buttons of the console, and names in the record of actions. */
export const verbNames = [
  'hide',
  'unhide',
  'release',
  'refuse',
  'hold',
  'edit',
  'withdraw',
  'restore-agent',
  'delete',
  'dismiss-reports',
] as const;

export type VerbName = (typeof verbNames)[number];

/** The agents that were changed, the time at which they were hidden, and the number of deleted reports. */
export type Changed = { agents: readonly NamedAgent[]; hiddenAt?: string; reports?: number };

/** What operators do to the agents that they select. */
export type Verb = {
  /** The text of the command in the help. */
  help: string;
  /** The arguments of the command; `[id...]` can be replaced by options that select agents. */
  takes: '[id...]' | '<id...>' | '<id> <field=value...>';
  /** Whether the command needs `--yes` for ids, too. */
  isFinal?: true;
  /** The readers of the reason that it needs, or `nobody` if it takes none; without this a reason can be left out. */
  reasonFor?: 'operators' | 'owners' | 'nobody';
  states: readonly AgentState[];
  /** Whether it also changes listed agents with an edit that waits. */
  takesEdits?: true;
  /** What would be done to agents, such as `hidden`, and what was done, such as `Hidden`. */
  would: string;
  done: string;
  /** Why nothing was changed, if it is not that no agent matches. */
  nothing?: string;
  /** The button of the console, its key in the queue, and what owners read then; without this the console has no such verb. */
  button?: { label: string; key?: string; ownerReads: string };
  /** The verb that takes it back. */
  undo?: VerbName;
  change: (
    store: OperatorStore,
    given: { selection: AgentSelection; reason: string; patch: AgentPatch },
  ) => Promise<Changed>;
  /** Whether the command prints the agents, if there are several. */
  printsAgents?: true;
  /** The last line that the command prints. */
  hint?: (changed: Changed) => string | undefined;
};

const hintHold = ({ agents }: Changed) =>
  agents.length > 1 ? 'To take them back, write these lines to a file: registry hold --yes --file <file>' : undefined;

/** The table of verbs, from which command line, console and record of actions derive. */
export const verbs: Record<VerbName, Verb> = {
  hide: {
    help: 'hide the agents that meet all conditions, of any state, from visitors and owners; with options it needs --yes',
    takes: '[id...]',
    reasonFor: 'operators',
    states: ['listed', 'held', 'refused', 'withdrawn'],
    would: 'hidden',
    done: 'Hidden',
    button: { label: 'Hide', key: 'h', ownerReads: 'The owner reads that it is not listed.' },
    undo: 'unhide',
    change: (store, { selection, reason }) => store.hide(selection, reason),
    hint: ({ agents, hiddenAt }) =>
      agents.length > 1 ? `To show them again: registry unhide --yes --hidden-at ${hiddenAt}` : undefined,
  },
  unhide: {
    help: 'return the hidden agents that meet all conditions to their former state; with options it needs --yes',
    takes: '[id...]',
    states: ['hidden'],
    would: 'shown again',
    done: 'Shown again',
    button: { label: 'Show again', ownerReads: 'The owner reads its former state.' },
    change: async (store, { selection }) => ({ agents: await store.unhide(selection) }),
  },
  release: {
    help: 'list the held agents and apply the waiting changes that meet all conditions; with options it needs --yes',
    takes: '[id...]',
    states: ['held'],
    takesEdits: true,
    would: 'released',
    done: 'Released',
    button: { label: 'Release', key: 'r', ownerReads: 'The owner reads that it is listed.' },
    undo: 'hold',
    change: async (store, { selection }) => ({ agents: await store.release(selection) }),
    printsAgents: true,
    hint: hintHold,
  },
  refuse: {
    help: 'refuse the held agents and the waiting changes that meet all conditions; with options it needs --yes',
    takes: '[id...]',
    reasonFor: 'owners',
    states: ['held'],
    takesEdits: true,
    would: 'refused',
    done: 'Refused',
    button: { label: 'Refuse', key: 'f', ownerReads: 'The owner reads the reason.' },
    undo: 'hold',
    change: async (store, { selection, reason }) => ({ agents: await store.refuse(selection, reason) }),
    printsAgents: true,
    hint: hintHold,
  },
  hold: {
    help: 'let agents or their changes wait again: takes back release and refuse; with options it needs --yes',
    takes: '[id...]',
    states: ['refused', 'listed'],
    would: 'held',
    done: 'Held',
    button: { label: 'Hold', ownerReads: 'The owner reads that it waits for review.' },
    change: async (store, { selection }) => ({ agents: await store.hold(selection) }),
    printsAgents: true,
  },
  edit: {
    help: 'change fields of an agent of any state; JSON for lists and null, such as capabilities=["a","b"]',
    takes: '<id> <field=value...>',
    states: agentStates,
    would: 'changed',
    done: 'Changed',
    change: async (store, { selection, patch }) => ({ agents: await store.edit(selection, patch) }),
  },
  withdraw: {
    help: 'withdraw agents of any state, as their owners can; they can be restored for 30 days',
    takes: '<id...>',
    states: ['listed', 'hidden', 'held', 'refused'],
    would: 'withdrawn',
    done: 'Withdrawn',
    button: { label: 'Withdraw', ownerReads: 'The owner reads that it is withdrawn.' },
    undo: 'restore-agent',
    change: async (store, { selection }) => ({ agents: await store.withdraw(selection) }),
    hint: () => 'They can be restored for 30 days: registry restore-agent <id...>',
  },
  'restore-agent': {
    help: 'list withdrawn agents again',
    takes: '<id...>',
    states: ['withdrawn'],
    would: 'restored',
    done: 'Restored',
    button: { label: 'Restore', ownerReads: 'The owner reads that it is listed.' },
    undo: 'withdraw',
    change: async (store, { selection }) => ({ agents: await store.restore(selection) }),
  },
  delete: {
    help: 'remove agents, visible or not, and everything stored about them for ever; needs --yes',
    takes: '[id...]',
    isFinal: true,
    reasonFor: 'nobody',
    states: agentStates,
    would: 'erased for ever',
    done: 'Erased',
    change: async (store, { selection }) => ({ agents: await store.erase(selection) }),
    hint: () =>
      'Backups, exports and rejected entries of imports still have them: delete these files, or erase the agents again after a restore.',
  },
  'dismiss-reports': {
    help: 'delete the reports of agents',
    takes: '<id...>',
    states: [],
    would: 'dismissed',
    done: 'Dismissed',
    nothing: 'No report is about these agents',
    button: { label: 'Dismiss', key: 'd', ownerReads: 'The owner reads nothing of it.' },
    change: async (store, { selection: { ids = new Set() } }) => ({
      agents: [],
      reports: await store.dismissReports([...ids]),
    }),
  },
};

/** Streams the agents that a verb would change. */
export async function* streamConcerned(
  store: OperatorStore,
  { states, takesEdits }: Verb,
  selection: AgentSelection,
): AsyncGenerator<Pick<SelectedAgent, 'agent' | 'state'>, void, undefined> {
  if (!takesEdits) return yield* store.stream(selection, states);
  for await (const { kind, agent } of store.streamReviewed('held', selection)) {
    yield { agent, state: kind === 'new' ? 'held' : 'listed' };
  }
}
