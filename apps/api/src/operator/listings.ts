import type { Acting } from '../actions/operator-action.ts';
import type { Engine } from '../db/engine.ts';
import type { UnlistedState } from '../db/tables.ts';
import { writeAgentsAgain } from '../agents/agent-rows.ts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import type { BulkActor, NamedAgent, OperatorStore } from './operator-store.ts';
import { removeRegistrationKeys } from '../agents/registration-keys.ts';
import { changeInBulk, collectSeqs, selectUnlisted, selectVisible } from '../agents/select-agents.ts';
import {
  moveUnlisted,
  removeListed,
  removeUnlisted,
  returnUnlisted,
  writeUnlisted,
  type Unlisting,
} from '../agents/unlisted-agents.ts';

/** Creates the part of the operator store that takes agents from the lists and lists them again. */
export function createListings(
  engine: Engine,
  acting?: Acting,
): Pick<OperatorStore, 'hide' | 'unhide' | 'withdraw' | 'restore'> {
  const { db } = engine;

  return {
    async hide(selection, reason) {
      const hiddenAt = new Date().toISOString();
      return { agents: await unlist(selection, { state: 'hidden', reason, since: hiddenAt }), hiddenAt };
    },

    unhide: (selection) => relist(selection, 'hidden'),

    withdraw(selection, by) {
      return unlist(selection, { state: 'withdrawn', reason: '', since: new Date().toISOString() }, by);
    },

    restore: (selection) => relist(selection, 'withdrawn'),
  };

  /** Takes the selected agents from the lists, or moves them from another state. */
  async function unlist(
    selection: AgentSelection,
    unlisting: Unlisting,
    by: BulkActor = 'operator',
  ): Promise<NamedAgent[]> {
    const selected = await collectSeqs([selectVisible(db, selection), selectUnlisted(db, selection)]);
    return changeInBulk({ engine, acting, actor: by, seen: selection.seen }, selected, async (transaction, seqs) => {
      const listed = await removeListed(engine, transaction, seqs, by);
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
    return changeInBulk({ engine, acting, seen: selection.seen }, selected, async (transaction, seqs) => {
      const returned = await returnUnlisted(transaction, seqs, state, since);
      const removed = await removeUnlisted(transaction, seqs, state);
      await writeAgentsAgain(engine, transaction, removed, { actor: 'operator' });
      return [...returned, ...removed];
    });
  }
}
