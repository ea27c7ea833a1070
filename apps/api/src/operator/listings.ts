import type { Acting } from '../actions/operator-action.ts';
import type { UnlistedState } from '../db/tables.ts';
import { writeAgentsAgain } from '../agents/agent-rows.ts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import { changeInBulk, type BulkActor, type NamedAgent } from './change-in-bulk.ts';
import type { Registry } from '../agents/registry.ts';
import { removeRegistrationKeys } from '../agents/registration-keys.ts';
import { collectSeqs, selectUnlisted, selectVisible } from '../agents/select-agents.ts';
import {
  moveUnlisted,
  removeListed,
  removeUnlisted,
  returnUnlisted,
  writeUnlisted,
  type Unlisting,
} from '../agents/unlisted-agents.ts';

/** Creates the part of the operator store that takes agents from the lists and lists them again. */
export function createListings(registry: Registry, acting: Acting | undefined) {
  const { db } = registry;
  return { hide, unhide, withdraw, restore };

  /**
   * Hides the selected agents from all lists, searches and counts, and from their owners, in one transaction. Other writers
   * wait meanwhile; readers do not. Returns the hidden agents and their `hiddenAt`.
   */
  async function hide(selection: AgentSelection, reason: string): Promise<{ agents: NamedAgent[]; hiddenAt: string }> {
    const hiddenAt = new Date().toISOString();
    return { agents: await unlist(selection, { state: 'hidden', reason, since: hiddenAt }), hiddenAt };
  }

  /** Returns the selected hidden agents to the state in which they were, in one transaction like `hide`. Returns these. */
  function unhide(selection: AgentSelection): Promise<NamedAgent[]> {
    return relist(selection, 'hidden');
  }

  /** Withdraws the selected agents as their owners can, in one transaction like `hide`. */
  function withdraw(selection: AgentSelection, by?: BulkActor): Promise<NamedAgent[]> {
    return unlist(selection, { state: 'withdrawn', reason: '', since: new Date().toISOString() }, by);
  }

  /** Returns the selected withdrawn agents to the state in which they were, within 30 days, in one transaction like `hide`. */
  function restore(selection: AgentSelection): Promise<NamedAgent[]> {
    return relist(selection, 'withdrawn');
  }

  /** Takes the selected agents from the lists, or moves them from another state. */
  async function unlist(
    selection: AgentSelection,
    unlisting: Unlisting,
    by: BulkActor = 'operator',
  ): Promise<NamedAgent[]> {
    const selected = await collectSeqs([selectVisible(db, selection), selectUnlisted(db, selection)]);
    return changeInBulk({ registry, acting, actor: by, seen: selection.seen }, selected, async (transaction, seqs) => {
      const listed = await removeListed(registry, transaction, seqs, by);
      const moved = await moveUnlisted(transaction, seqs, unlisting);
      await writeUnlisted(transaction, listed, unlisting);
      const removed = [...listed, ...moved];
      if (unlisting.state === 'withdrawn') {
        await removeRegistrationKeys(
          transaction,
          removed.map(({ agent }) => agent.id),
        );
      }
      return removed;
    });
  }

  /** Returns the selected agents of a state to the one before: most are listed again, at the place that they had. */
  async function relist(selection: AgentSelection, state: UnlistedState): Promise<NamedAgent[]> {
    const selected = await collectSeqs([selectUnlisted(db, selection, state)]);
    const since = new Date().toISOString();
    return changeInBulk({ registry, acting, seen: selection.seen }, selected, async (transaction, seqs) => {
      const returned = await returnUnlisted(transaction, seqs, state, since);
      const removed = await removeUnlisted(transaction, seqs, state);
      await writeAgentsAgain(registry, transaction, removed, { actor: 'operator' });
      return [...returned, ...removed];
    });
  }
}
