import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';

export type OwnedAgent = { agent: Agent; keyHash?: string | undefined };

/** An agent with its row number. */
export type StoredAgent = OwnedAgent & { seq: number };

/** What became of agents, or what people did to them. */
export type AgentEvent =
  /** `isRestored` for agents of a backup, which has their events. */
  | { type: 'listed' | 'removed'; agents: readonly StoredAgent[]; isRestored?: boolean }
  /** `before` if its texts may have changed. */
  | { type: 'updated'; agents: readonly StoredAgent[]; before?: Agent }
  | { type: 'held' | 'reported' | 'registered' | 'edited'; agents: readonly { agent: Pick<Agent, 'id'> }[] };

/** Writes what follows from an event, in the transaction of the event and after its rows. */
export type Listener = (transaction: Kysely<Tables>, event: AgentEvent) => Promise<void>;

/** A database, and the listeners of every write of an agent, in their order. */
export type Registry = Engine & { listeners: readonly Listener[] };

export async function tell({ listeners }: Registry, transaction: Kysely<Tables>, event: AgentEvent): Promise<void> {
  if (event.agents.length === 0) return;
  for (const listener of listeners) await listener(transaction, event);
}
