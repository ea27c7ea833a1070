import { undoOf, type ConsoleChange } from '@agent-registry/contracts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import { operatorChanges } from '../agents/operator-changes.ts';
import type { NamedAgent, OperatorStore } from '../agents/operator-store.ts';
import { parseReason } from '../actions/acting.ts';
import { RegistryError } from '../registry-error.ts';
import { openStore, type ConsoleContext } from './console-trpc.ts';

/** An agent to change, and the fingerprint of what the operator decided on, where that matters. */
export type Target = { id: string; seen?: string | undefined };

/** What a change did, such as `Hidden`, to which agents, and the change that takes it back. */
export type Changed = { done: string; agents: NamedAgent[]; undo: ConsoleChange | undefined };

/** How each change is made, with a reason that some need. */
const makers: Record<
  ConsoleChange,
  (store: OperatorStore, selection: AgentSelection, reason: string) => Promise<NamedAgent[]>
> = {
  release: (store, selection) => store.release(selection),
  refuse: (store, selection, reason) => store.refuse(selection, reason),
  hold: (store, selection) => store.hold(selection),
  hide: async (store, selection, reason) => (await store.hide(selection, reason)).agents,
  unhide: (store, selection) => store.unhide(selection),
  withdraw: (store, selection) => store.withdraw(selection),
  'restore-agent': (store, selection) => store.restore(selection),
};

/**
 * Changes agents and records it, as the command of this name does.
 * @throws {ActingError} when the reason is invalid.
 * @throws {RegistryError} when an entry has changed since the operator saw it, or none was changed.
 */
export async function changeAgents(
  context: ConsoleContext,
  { change, targets, reason }: { change: ConsoleChange; targets: readonly Target[]; reason: string | undefined },
): Promise<Changed> {
  const why = reason === undefined ? '' : parseReason(reason);
  const store = openStore(context, change, why);
  // An owner may edit an entry while the operator reads it: only what was read is decided on.
  const seen = new Map(targets.flatMap((target) => (target.seen === undefined ? [] : [[target.id, target.seen]])));
  const ids = new Set(targets.map(({ id }) => id));
  const agents = await makers[change](store, { ids, seen: seen.size > 0 ? seen : undefined }, why);
  if (agents.length === 0) {
    throw new RegistryError('changed', 'Nothing was changed: the entries are no longer in the state that you saw');
  }
  return { done: operatorChanges[change].done, agents, undo: undoOf[change] };
}
