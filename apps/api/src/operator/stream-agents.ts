import type { Agent, AgentPatch, AgentState } from '@agent-registry/contracts';
import type { AgentSelection } from '../agents/select-agents.ts';
import type { OperatorStore } from './operator-store.ts';
import { fingerprintOf } from './change-in-bulk.ts';
import type { Verb } from './verbs.ts';

/** An agent of any state. */
export type FoundAgent = {
  agent: Agent;
  state: AgentState;
  /** Since when it is in a state that is not listed: ISO 8601 in UTC. */
  since?: string | undefined;
  /** Why it is hidden or was refused; empty in other states. */
  reason?: string | undefined;
};

/** Streams the selected agents of some states: first the listed ones, then the others. */
export async function* streamAgents(
  store: OperatorStore,
  states: readonly AgentState[],
  selection: AgentSelection = {},
): AsyncGenerator<FoundAgent, void, undefined> {
  const unlisted = states.filter((state) => state !== 'listed');
  if (states.includes('listed')) {
    for await (const agent of store.streamVisible(selection)) yield { agent, state: 'listed' };
  }
  // Without a state the store streams those of all.
  if (unlisted.length === 0) return;
  for await (const { agent, state, since, reason } of store.streamUnlisted(selection, ...unlisted)) {
    yield { agent, state, since, reason };
  }
}

/** Streams the agents that a verb would change. */
export async function* streamConcerned(
  store: OperatorStore,
  { states, takesEdits }: Verb,
  selection: AgentSelection,
): AsyncGenerator<FoundAgent, void, undefined> {
  yield* streamAgents(store, states, selection);
  if (!takesEdits) return;
  for await (const { agent } of store.streamProposed(selection, 'waiting')) yield { agent, state: 'listed' };
}

/** A new agent or an edit that waits for review, or was refused. */
export type Reviewed = {
  kind: 'new' | 'edit';
  /** The agent as it is listed; a new one as it was registered. */
  agent: Agent;
  /** The fields that the edit changes, with their new values; empty for a new agent. */
  patch: AgentPatch;
  /** The time of the registration, the edit or the refusal: ISO 8601 in UTC. */
  since: string;
  reason: string;
  /** The fingerprint of what is decided on. */
  seen: string;
};

/** Streams what waits for review or was refused: first the new agents, then the edits. */
export async function* streamReviewed(
  store: OperatorStore,
  state: 'held' | 'refused',
  selection: AgentSelection = {},
): AsyncGenerator<Reviewed, void, undefined> {
  for await (const { agent, since, reason } of store.streamUnlisted(selection, state)) {
    yield { kind: 'new', agent, patch: {}, since, reason, seen: fingerprintOf(agent) };
  }
  const edits = store.streamProposed(selection, state === 'held' ? 'waiting' : 'refused');
  for await (const { agent, proposal } of edits) {
    const { patch, since, reason } = proposal;
    yield { kind: 'edit', agent, patch, since, reason, seen: fingerprintOf(agent, patch) };
  }
}
