import type { Agent, AgentPatch } from '@agent-registry/contracts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import type { OperatorStore } from '../agents/operator-store.ts';
import { fingerprintOf } from '../review/seen.ts';

/** A new agent or an edit that waits for review. */
export type QueueItem = {
  kind: 'new' | 'edit';
  /** The agent as it is listed; a new one as it was registered. */
  agent: Agent;
  /** The fields that the edit changes, with their new values; empty for a new agent. */
  patch: AgentPatch;
  /** The time of the registration or of the edit: ISO 8601 in UTC. */
  since: string;
  /** The fingerprint of what is decided on. */
  seen: string;
};

/** Streams what waits for review: first the new agents, then the edits. */
export async function* readQueue(
  store: OperatorStore,
  selection: AgentSelection = {},
): AsyncGenerator<QueueItem, void, undefined> {
  for await (const { agent, since } of store.streamUnlisted(selection, 'held')) {
    yield { kind: 'new', agent, patch: {}, since, seen: fingerprintOf(agent) };
  }
  for await (const { agent, proposal } of store.streamProposed(selection, 'waiting')) {
    const { patch, since } = proposal;
    yield { kind: 'edit', agent, patch, since, seen: fingerprintOf(agent, patch) };
  }
}
