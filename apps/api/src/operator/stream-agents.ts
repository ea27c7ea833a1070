import type { Agent, AgentPatch } from '@agent-registry/contracts';
import type { AgentSelection, SelectedAgent } from '../agents/select-agents.ts';
import type { OperatorStore } from './operator-store.ts';
import { fingerprintOf } from './change-in-bulk.ts';
import type { Verb } from './verbs.ts';

/** Streams the agents that a verb would change. */
export async function* streamConcerned(
  store: OperatorStore,
  { states, takesEdits }: Verb,
  selection: AgentSelection,
): AsyncGenerator<Pick<SelectedAgent, 'agent' | 'state'>, void, undefined> {
  yield* store.stream(selection, states);
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
  for await (const { agent, since = '', reason = '' } of store.stream(selection, [state])) {
    yield { kind: 'new', agent, patch: {}, since, reason, seen: fingerprintOf(agent) };
  }
  const edits = store.streamProposed(selection, state === 'held' ? 'waiting' : 'refused');
  for await (const { agent, proposal } of edits) {
    const { patch, since, reason } = proposal;
    yield { kind: 'edit', agent, patch, since, reason, seen: fingerprintOf(agent, patch) };
  }
}
