import { logChange } from '../changes/change-log.ts';
import type { Engine } from '../db/engine.ts';
import { addToFigures, toDay } from '../figures/daily-figures.ts';
import { writeOwnersEdit } from '../review/owner-edits.ts';
import { removeProposal } from '../review/proposals.ts';
import { toAgent } from '../db/records.ts';
import { rewriteTokens } from './agent-rows.ts';
import type { AgentStore } from './agent-store.ts';
import { changeOwned } from './change-owned.ts';
import { nextTime } from './edit-agent.ts';
import { toOwnVersion } from './find-owned.ts';
import { hashKey } from './management-keys.ts';
import { removeRegistrationKeys } from './registration-keys.ts';
import { moveUnlisted, removeListed, writeUnlisted } from './unlisted-agents.ts';

/** Creates the part of the agent store with which owners change their agents. */
export function createOwnerChanges(
  engine: Engine,
  now: () => number,
): Pick<AgentStore, 'update' | 'takeBack' | 'withdraw' | 'replaceKey' | 'claim'> {
  const { db } = engine;
  return {
    update: (id, authority, patch, review) =>
      changeOwned(engine, id, authority, async (transaction, owned) => {
        const edited = await writeOwnersEdit(engine, transaction, owned, patch, { review, now: now() });
        await addToFigures(transaction, toDay(now()), { edits: 1 });
        return edited;
      }),

    takeBack: (id, authority) =>
      changeOwned(engine, id, authority, async (transaction, { stored, state, proposal }) => {
        if (proposal) await removeProposal(transaction, id);
        return { agent: stored.agent, isHeld: state !== 'listed' };
      }),

    withdraw: (id, authority) =>
      changeOwned(engine, id, authority, async (transaction, owned) => {
        const since = nextTime(now());
        await removeRegistrationKeys(transaction, [id]);
        if (owned.state === 'listed') {
          await removeListed(engine, transaction, [owned.stored.seq], 'owner');
          await writeUnlisted(transaction, [owned.stored], { state: 'withdrawn', reason: '', since });
        } else {
          await moveUnlisted(transaction, [owned.stored.seq], { state: 'withdrawn', since });
        }
        return { agent: toOwnVersion(owned), isHeld: false };
      }),

    replaceKey: (id, authority, newKey) =>
      changeOwned(engine, id, authority, async (transaction, owned) => {
        await transaction
          .updateTable(owned.state === 'listed' ? 'agents' : 'unlisted_agents')
          .set({ key_hash: hashKey(newKey) })
          .where('id', '=', id)
          .execute();
        return { agent: toOwnVersion(owned), isHeld: false };
      }),

    async claim(id, { website, proof }, newKey) {
      return db.transaction().execute(async (transaction) => {
        await engine.lockWrites(transaction);
        const owned = await transaction
          .selectFrom('agents')
          .select(['id', 'website_checked_at'])
          .where('id', '=', id)
          .where('website', '=', website)
          .executeTakeFirst();
        if (!owned) return undefined;
        const at = nextTime(now());
        const row = await transaction
          .updateTable('agents')
          .set({ key_hash: hashKey(newKey), website_checked_at: at, website_proof: proof })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const agent = toAgent(row);
        await rewriteTokens(engine, transaction, { seq: row.seq, agent });
        const fields = { websiteCheckedAt: [owned.website_checked_at, at] } as const;
        await logChange(transaction, { kind: 'updated', actor: 'website', at }, [{ id, fields }]);
        return agent;
      });
    },
  };
}
