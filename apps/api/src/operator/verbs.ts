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
export type Changed = { agents: readonly NamedAgent[]; hiddenAt?: string; reports?: number };

export type Verb = {
  help: string;
  details?: string;
  /** The arguments of the command; `[id...]` can be replaced by options that select agents. */
  takes: '[id...]' | '<id...>' | '<id> <field=value...>';
  /** The options of the command that others do not have, and another name of it. */
  options?: readonly [flags: string, text: string][];
  alias?: string;
  /** Whether the command needs `--yes` for ids, too. */
  isFinal?: true;
  /** The readers of the reason that it needs, or `nobody` if it takes none; without this a reason can be left out. */
  reasonFor?: 'operators' | 'owners' | 'nobody';
  states: readonly AgentState[];
  /** Whether it also changes listed agents with an edit that waits. */
  takesEdits?: true;
  /** What was done to agents, such as `Hidden`, and what would be, if it has another name. */
  done: string;
  would?: string;
  /** Why nothing was changed, if it is not that no agent matches. */
  nothing?: string;
  /**
   * The button of the console, and what owners read then; without this the console has no such verb. With a key it is in the
   * queue. It comes first for entries of the state `main`; `states` are those of the verb by default.
   */
  button?: { label: string; ownerReads: string; key?: string; main?: AgentState; states?: readonly AgentState[] };
  undo?: VerbName;
  change: (
    store: OperatorStore,
    given: { selection: AgentSelection; reason: string; patch: AgentPatch },
  ) => Promise<Changed>;
  /** Whether the command prints the agents, if there are several. */
  printsAgents?: true;
  hint?: (changed: Changed) => string | undefined;
};

const hintHold = ({ agents }: Changed) =>
  agents.length > 1 ? 'To take them back, write these lines to a file: registry hold --yes --file <file>' : undefined;

export const HIDDEN_AT_OPTION: [flags: string, text: string] = [
  '--hidden-at <time>',
  'agents that one hide command hid, by the time that it printed',
];

/** The table of verbs, from which command line, console and record of actions derive. */
export const verbs: Record<VerbName, Verb> = {
  hide: {
    help: 'hide the agents that meet all conditions, of any state, from visitors and owners; with options it needs --yes',
    details:
      'It is one transaction of any size, and every process shows it with its next response. Registrations wait meanwhile, from five seconds on with 503: 10,000 agents take seconds, on PostgreSQL up to a minute. In a flood set REGISTRATION=closed first. The id of a hidden agent cannot be registered again.',
    takes: '[id...]',
    reasonFor: 'operators',
    states: ['listed', 'held', 'refused', 'withdrawn'],
    done: 'Hidden',
    button: { label: 'Hide', key: 'h', ownerReads: 'The owner reads that it is not listed.' },
    undo: 'unhide',
    change: (store, { selection, reason }) => store.hide(selection, reason),
    hint: ({ agents, hiddenAt }) =>
      agents.length > 1 ? `To show them again: registry unhide --yes --hidden-at ${hiddenAt}` : undefined,
  },
  unhide: {
    help: 'return the hidden agents that meet all conditions to their former state; with options it needs --yes',
    details: 'An agent that was held, refused or withdrawn before is so again.',
    takes: '[id...]',
    options: [HIDDEN_AT_OPTION],
    states: ['hidden'],
    done: 'Shown again',
    button: { label: 'Show again', ownerReads: 'The owner reads its former state.' },
    change: async (store, { selection }) => ({ agents: await store.unhide(selection) }),
  },
  release: {
    help: 'list the held agents and apply the waiting changes that meet all conditions; with options it needs --yes',
    details:
      'A held agent and its edit are released together. Without --seen what waits at that moment is listed. An edit that comes later waits itself. A decided edit is kept for 90 days.',
    takes: '[id...]',
    options: [['--seen <hash>', 'only if the agent is as show or list --held printed it with this hash']],
    states: ['held'],
    takesEdits: true,
    done: 'Released',
    button: { label: 'Release', key: 'r', main: 'held', ownerReads: 'The owner reads that it is listed.' },
    undo: 'hold',
    change: async (store, { selection }) => ({ agents: await store.release(selection) }),
    printsAgents: true,
    hint: hintHold,
  },
  refuse: {
    help: 'refuse the held agents and the waiting changes that meet all conditions; with options it needs --yes',
    details:
      'Nothing is erased: the owner reads the reason on the page of the entry, and an edit of the owner lets it wait again.',
    takes: '[id...]',
    reasonFor: 'owners',
    states: ['held'],
    takesEdits: true,
    done: 'Refused',
    button: { label: 'Refuse', key: 'f', main: 'held', ownerReads: 'The owner reads the reason.' },
    undo: 'hold',
    change: async (store, { selection, reason }) => ({ agents: await store.refuse(selection, reason) }),
    printsAgents: true,
    hint: hintHold,
  },
  hold: {
    help: 'let agents or their changes wait again: takes back release and refuse; with options it needs --yes',
    details:
      'A released edit leaves the list and waits again; fields that were changed since stay. A listed agent without a decided edit is held as a whole.',
    takes: '[id...]',
    states: ['refused', 'listed'],
    done: 'Held',
    button: { label: 'Hold', main: 'refused', ownerReads: 'The owner reads that it waits for review.' },
    change: async (store, { selection }) => ({ agents: await store.hold(selection) }),
    printsAgents: true,
  },
  edit: {
    help: 'change fields of an agent of any state; JSON for lists and null, such as capabilities=["a","b"]',
    details: 'It does not wait for review. The next sync of an imported agent overwrites the field, unless you pin it.',
    takes: '<id> <field=value...>',
    states: agentStates,
    done: 'Changed',
    change: async (store, { selection, patch }) => ({ agents: await store.edit(selection, patch) }),
  },
  withdraw: {
    help: 'withdraw agents of any state, as their owners can; they can be restored for 30 days',
    takes: '<id...>',
    states: ['listed', 'hidden', 'held', 'refused'],
    done: 'Withdrawn',
    button: {
      label: 'Withdraw',
      states: ['listed', 'held', 'refused'],
      ownerReads: 'The owner reads that it is withdrawn.',
    },
    undo: 'restore-agent',
    change: async (store, { selection }) => ({ agents: await store.withdraw(selection) }),
    hint: () => 'They can be restored for 30 days: registry restore-agent <id...>',
  },
  'restore-agent': {
    help: 'list withdrawn agents again',
    takes: '<id...>',
    states: ['withdrawn'],
    done: 'Restored',
    button: { label: 'Restore', main: 'withdrawn', ownerReads: 'The owner reads that it is listed.' },
    undo: 'withdraw',
    change: async (store, { selection }) => ({ agents: await store.restore(selection) }),
  },
  delete: {
    help: 'remove agents, visible or not, and everything stored about them for ever; needs --yes',
    details:
      'It removes agents with their edits, reports, sources, idempotency keys, views, words in the search index, events of the webhook (except the removal), and their values and names in the logs. A hash of the name in a source stays, so that sync does not add the agent again; of changes the id, time and kind stay, so that mirrors learn of the removal. SQLite overwrites the rows, merges the search index (up to a minute with 100,000 agents) and empties the -wal file, for which it waits up to a minute while a backup reads.\n\nLeft to you: backups, exports and .rejected.ndjson files, disk snapshots, the WAL archive of PostgreSQL, and its deleted rows until VACUUM.',
    takes: '[id...]',
    alias: 'erase',
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
    done: 'Dismissed',
    nothing: 'No report is about these agents',
    button: { label: 'Dismiss', key: 'd', ownerReads: 'The owner reads nothing of it.' },
    change: async (store, { selection: { ids = new Set() } }) => ({
      agents: [],
      reports: await store.dismissReports([...ids]),
    }),
  },
};

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
