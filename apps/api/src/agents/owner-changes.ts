import type { Agent, AgentPatch, WebsiteProof } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { ProvedWebsite } from '../website-check/website-claims.ts';
import { logChange } from '../changes/change-log.ts';
import type { Tables } from '../db/tables.ts';
import { rewriteTokens } from './agent-rows.ts';
import { toAgent } from '../db/records.ts';
import { nextTime } from './edit-agent.ts';
import { isExpected, type ExpectedVersion } from './expected-version.ts';
import { findOwnedState, toOwnVersion, type OwnedState, type OwnedVersion, type Refusal } from './find-owned.ts';
import { hashKey } from './management-keys.ts';
import { writeOwnersEdit, type EditReview } from './owner-edits.ts';
import { removeProposal } from './proposals.ts';
import { removeRegistrationKeys } from './registration-keys.ts';
import { tell, type Registry } from './registry.ts';
import { moveUnlisted, removeListed, writeUnlisted } from './unlisted-agents.ts';

/** The management key of a call that changes an agent, and the version that the agent must have. */
export type Authority = {
  /** The key, if the client sent one. */
  key: string | undefined;
  /** The version that the agent must have; any by default. */
  expected?: ExpectedVersion | undefined;
};

/** Creates the part of an agent store with which owners change their agents. */
export function createOwnerChanges(registry: Registry, now: () => number) {
  return { update, takeBack, withdraw, replaceKey, claim, endProof };

  /**
   * Changes fields of an agent. Of concurrent changes each is applied to the result of the one before. With a review, the
   * changes of a listed agent wait until they are released.
   * @throws {ZodError} when the result would be no valid agent.
   */
  function update(id: string, authority: Authority, patch: AgentPatch, review?: EditReview) {
    return changeOwned(registry, id, authority, async (transaction, owned) => {
      const edited = await writeOwnersEdit(registry, transaction, owned, patch, { review, now: now() });
      await tell(registry, transaction, { type: 'edited', agents: [owned.stored] });
      return edited;
    });
  }

  /** Takes back the changes of a listed agent that wait for review or were refused, if there are any. */
  function takeBack(id: string, authority: Authority) {
    return changeOwned(registry, id, authority, async (transaction, { stored, state, proposal }) => {
      if (proposal) await removeProposal(transaction, id);
      return { agent: stored.agent, isHeld: state !== 'listed' };
    });
  }

  /** Withdraws an agent from all lists, searches and counts. Returns it as its owner saw it. */
  function withdraw(id: string, authority: Authority) {
    return changeOwned(registry, id, authority, async (transaction, owned) => {
      const since = nextTime(now());
      await removeRegistrationKeys(transaction, [id]);
      if (owned.state === 'listed') {
        await removeListed(registry, transaction, [owned.stored.seq], 'owner');
        await writeUnlisted(transaction, [owned.stored], { state: 'withdrawn', reason: '', since });
      } else {
        const { state } = owned;
        await moveUnlisted(
          transaction,
          [owned.stored.seq],
          { state },
          { state: 'withdrawn', since, formerState: state },
        );
      }
      return { agent: toOwnVersion(owned), isHeld: false };
    });
  }

  /** Replaces the management key of an agent. */
  function replaceKey(id: string, authority: Authority, newKey: string) {
    return changeOwned(registry, id, authority, async (transaction, owned) => {
      await transaction
        .updateTable(owned.state === 'listed' ? 'agents' : 'unlisted_agents')
        .set({ key_hash: hashKey(newKey) })
        .where('id', '=', id)
        .execute();
      return { agent: toOwnVersion(owned), isHeld: false };
    });
  }

  /**
   * Replaces the management key of an agent whose owner controls the website; undefined if the agent no longer lists
   * that website.
   */
  function claim(id: string, { website, proof }: ProvedWebsite, newKey: string): Promise<Agent | undefined> {
    return writeProof(registry, { id, website }, { proof, newKey, now });
  }

  /** Ends the proof of an agent's website, unless the agent has another website or a later proof. */
  async function endProof(agent: { id: string; website: string; website_checked_at: string | null }): Promise<void> {
    await writeProof(registry, agent, { proof: null, now });
  }
}

/**
 * Changes an agent with its key in a transaction, unless its conditions no longer hold there. Also an agent that waits for
 * its release, or was refused.
 */
async function changeOwned(
  registry: Registry,
  id: string,
  { key, expected }: Authority,
  write: (transaction: Kysely<Tables>, owned: OwnedState) => Promise<OwnedVersion>,
): Promise<OwnedVersion | Refusal> {
  const find = async (db: Kysely<Tables>): Promise<OwnedState | Refusal> => {
    const owned = await findOwnedState(db, id, key);
    return typeof owned === 'string' || isExpected(toOwnVersion(owned), expected) ? owned : 'unexpected';
  };
  // Looked for first without a transaction, so that calls that are refused do not delay other writers.
  const refused = await find(registry.db);
  if (typeof refused === 'string') return refused;
  return registry.db.transaction().execute(async (transaction) => {
    await registry.lockWrites(transaction);
    const owned = await find(transaction);
    return typeof owned === 'string' ? owned : write(transaction, owned);
  });
}

/** Writes the proof of an agent's website, or with null its end. */
function writeProof(
  registry: Registry,
  { id, ...expected }: { id: string; website: string; website_checked_at?: string | null },
  { proof, newKey, now }: { proof: WebsiteProof | null; newKey?: string; now: () => number },
): Promise<Agent | undefined> {
  return registry.db.transaction().execute(async (transaction) => {
    await registry.lockWrites(transaction);
    const owned = await transaction
      .selectFrom('agents')
      .select('website_checked_at')
      .where('id', '=', id)
      .where((where) => where.and(expected))
      .executeTakeFirst();
    if (!owned) return undefined;
    const at = nextTime(now());
    const checkedAt = proof === null ? null : at;
    const row = await transaction
      .updateTable('agents')
      .set({ website_checked_at: checkedAt, website_proof: proof })
      .$if(newKey !== undefined, (query) => query.set({ key_hash: hashKey(newKey as string) }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const stored = { seq: row.seq, agent: toAgent(row) };
    await rewriteTokens(registry, transaction, stored);
    const fields = { websiteCheckedAt: [owned.website_checked_at, checkedAt] } as const;
    await logChange(transaction, { kind: 'updated', actor: 'website', at }, [{ id, fields }]);
    await tell(registry, transaction, { type: 'updated', agents: [stored] });
    return stored.agent;
  });
}
