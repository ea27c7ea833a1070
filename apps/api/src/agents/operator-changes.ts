import type { Agent } from '@agent-registry/contracts';
import type { AgentSelection } from './agent-selection.ts';
import type { OperatorStore } from './operator-store.ts';

/** A change that operators make to the agents that they select. */
export type OperatorChange = {
  /** What would be done to them, such as `hidden`, and what was done, such as `Hidden`. */
  would: string;
  done: string;
  /** Streams the agents that it would change, one source after the other. */
  preview: (store: OperatorStore, selection: AgentSelection) => readonly AsyncIterable<Agent | { agent: Agent }>[];
};

/** The changes of the command line and the console, by their names in the record of actions. */
export const operatorChanges = {
  release: { would: 'released', done: 'Released', preview: streamWaiting },
  refuse: { would: 'refused', done: 'Refused', preview: streamWaiting },
  hold: {
    would: 'held',
    done: 'Held',
    preview: (store, selection) => [store.streamUnlisted(selection, 'refused'), store.streamVisible(selection)],
  },
  hide: {
    would: 'hidden',
    done: 'Hidden',
    preview: (store, selection) => [
      store.streamVisible(selection),
      store.streamUnlisted(selection, 'held', 'refused', 'withdrawn'),
    ],
  },
  unhide: {
    would: 'shown again',
    done: 'Shown again',
    preview: (store, selection) => [store.streamUnlisted(selection, 'hidden')],
  },
  withdraw: {
    would: 'withdrawn',
    done: 'Withdrawn',
    preview: (store, selection) => [
      store.streamVisible(selection),
      store.streamUnlisted(selection, 'hidden', 'held', 'refused'),
    ],
  },
  'restore-agent': {
    would: 'restored',
    done: 'Restored',
    preview: (store, selection) => [store.streamUnlisted(selection, 'withdrawn')],
  },
  move: { would: 'moved', done: 'Moved', preview: streamAll },
  delete: { would: 'erased for ever', done: 'Erased', preview: streamAll },
} as const satisfies Record<string, OperatorChange>;

/** The agents and changes that wait for review. */
function streamWaiting(store: OperatorStore, selection: AgentSelection) {
  return [store.streamUnlisted(selection, 'held'), store.streamProposed(selection, 'waiting')];
}

/** The agents of all states. */
function streamAll(store: OperatorStore, selection: AgentSelection) {
  return [store.streamVisible(selection), store.streamUnlisted(selection)];
}
