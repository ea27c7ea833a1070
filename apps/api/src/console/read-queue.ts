import { createHash } from 'node:crypto';
import type { Agent, AgentPatch } from '@agent-registry/contracts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import type { OperatorStore } from '../agents/operator-store.ts';

/** A new agent or an edit that waits for review. */
export type QueueItem = {
  kind: 'new' | 'edit';
  /** The agent as it is listed; a new one as it was registered. */
  agent: Agent;
  /** The fields that the edit changes, with their new values; empty for a new agent. */
  patch: AgentPatch;
  /** The time of the registration or of the edit: ISO 8601 in UTC. */
  since: string;
  /** Stands for what is decided on: another one after every change of the entry. */
  seen: string;
};

/** Streams what waits for review: first the new agents, then the edits. */
export async function* readQueue(
  store: OperatorStore,
  selection: AgentSelection = {},
): AsyncGenerator<QueueItem, void, undefined> {
  for await (const { agent, since } of store.streamUnlisted(selection, 'held')) {
    yield { kind: 'new', agent, patch: {}, since, seen: fingerprint(agent, {}) };
  }
  for await (const { agent, proposal } of store.streamProposed(selection, 'waiting')) {
    const { patch, since } = proposal;
    yield { kind: 'edit', agent, patch, since, seen: fingerprint(agent, patch) };
  }
}

/** Without the figures of the agent, which change without its owner. */
function fingerprint(agent: Agent, patch: AgentPatch): string {
  return createHash('sha256')
    .update(JSON.stringify([{ ...agent, rating: 0, reviewCount: 0 }, patch]))
    .digest('base64url');
}
