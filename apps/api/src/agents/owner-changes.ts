import type { Agent, AgentPatch, ChangeActor, EditableField, WebsiteProof } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { ProvedWebsite } from '../website-check/website-claims.ts';
import { logChange } from '../changes/change-log.ts';
import type { Tables } from '../db/tables.ts';
import { rewriteTokens, tell, toStored, type Registry } from './agent-rows.ts';
import { writeRecords } from '../db/records.ts';
import { nextTime, editListed, editUnlisted, mergePatch } from './edit-agent.ts';
import {
  isExpected,
  type ExpectedVersion,
  findOwnedState,
  toOwnVersion,
  type OwnedState,
  type OwnedVersion,
  type Refusal,
  hashKey,
} from './find-owned.ts';
import { removeProposal, differenceOf, fieldsOf, pick, toProposedVersion, type Proposal } from './proposals.ts';
import { removeRegistrationKeys } from './registrations.ts';
import { moveUnlisted, removeListed, writeUnlisted } from './unlisted-agents.ts';

/** Which edits of listed agents wait for the operator's review. */
export type EditReview = {
  /** Edits of these fields alone are listed at once. */
  except: ReadonlySet<EditableField>;
};

export type Authority = {
  key: string | undefined;
  /** The version that the agent must have; any by default. */
  expected?: ExpectedVersion | undefined;
};

export function createOwnerChanges(registry: Registry, now: () => number) {
  return { update, takeBack, withdraw, replaceKey, claim, endProof };

  /**
   * Changes fields of an agent. Of concurrent changes each is applied to the result of the one before. With a review, the
   * changes of a listed agent wait until they are released.
   * @throws {ZodError} when the result would be no valid agent.
   */
  function update(id: string, authority: Authority, patch: AgentPatch, review?: EditReview) {
    return changeOwned(registry, id, authority, (transaction, owned) =>
      writeOwnersEdit(registry, transaction, owned, patch, { review, now: now() }),
    );
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
      await writeWithdrawal(registry, transaction, owned, { now: now(), actor: 'owner' });
      return { agent: toOwnVersion(owned), isHeld: false };
    });
  }

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
  function claim(id: string, { proof, ...expected }: ProvedWebsite, newKey: string): Promise<Agent | undefined> {
    return writeProof({ id, ...expected }, { proof, newKey });
  }

  /** Ends the proof of an agent's website, unless the agent has another website or a later proof. */
  async function endProof(agent: { id: string; website: string; website_checked_at: string | null }): Promise<void> {
    await writeProof(agent, { proof: null });
  }

  /** Writes the proof of the website of an agent that is as expected, or with null its end. */
  function writeProof(
    { id, ...expected }: { id: string; website: string | null; website_checked_at?: string | null; key_hash?: null },
    proof: { proof: WebsiteProof | null | undefined; newKey?: string },
  ): Promise<Agent | undefined> {
    return registry.db.transaction().execute(async (transaction) => {
      await registry.lockWrites(transaction);
      const agent = transaction.selectFrom('agents').select('id').where('id', '=', id);
      const conditions = Object.entries(expected) as ['website', string][];
      const owned = await agent
        .where((where) => where.and(conditions.map(([column, value]) => where(column, 'is not distinct from', value))))
        .executeTakeFirst();
      return owned && proveWebsite(registry, transaction, id, { ...proof, now: now() });
    });
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

export async function writeWithdrawal(
  registry: Registry,
  transaction: Kysely<Tables>,
  { stored, state }: OwnedState,
  { now, actor }: { now: number; actor: ChangeActor },
): Promise<void> {
  const since = nextTime(now);
  await removeRegistrationKeys(transaction, [stored.agent.id]);
  if (state === 'listed') {
    await removeListed(registry, transaction, [stored.seq], actor);
    await writeUnlisted(transaction, [stored], { state: 'withdrawn', reason: '', since });
  } else {
    await moveUnlisted(transaction, [stored.seq], { state }, { state: 'withdrawn', since, formerState: state });
  }
}

/** Writes the proof of a listed agent's website, with null its end, or undefined another key alone, in a transaction. */
export async function proveWebsite(
  registry: Registry,
  transaction: Kysely<Tables>,
  id: string,
  { proof, newKey, now }: { proof: WebsiteProof | null | undefined; newKey?: string; now: number },
): Promise<Agent> {
  const { website_checked_at: before } = await transaction
    .selectFrom('agents')
    .select('website_checked_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const at = nextTime(now);
  const checkedAt = proof === null ? null : at;
  const row = await transaction
    .updateTable('agents')
    .set({
      ...(proof !== undefined && { website_checked_at: checkedAt, website_proof: proof }),
      ...(newKey !== undefined && { key_hash: hashKey(newKey) }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const stored = toStored(row);
  await rewriteTokens(registry, transaction, stored);
  const fields = proof === undefined ? {} : ({ websiteCheckedAt: [before, checkedAt] } as const);
  await logChange(transaction, { kind: 'updated', actor: 'website', at }, [{ id, fields }]);
  await tell(registry, transaction, { type: 'updated', agents: [stored] });
  return stored.agent;
}

/**
 * Writes an owner's edit, as part of a transaction. With a review, an edit of a listed agent becomes a proposed version,
 * or changes the one that there is. An agent that is not listed is changed in place, and waits again if it was refused.
 * @param now the time, in milliseconds since 1970
 */
export async function writeOwnersEdit(
  registry: Registry,
  transaction: Kysely<Tables>,
  owned: OwnedState,
  patch: AgentPatch,
  { review, now, actor = 'owner' }: { review: EditReview | undefined; now: number; actor?: ChangeActor },
): Promise<OwnedVersion> {
  const { stored, state, proposal } = owned;
  const { agent } = stored;
  const before = toOwnVersion(owned);
  const wanted = mergePatch(before, patch);
  const changed = review ? fieldsOf(differenceOf(before, wanted)) : fieldsOf(patch);
  if (changed.length === 0) return { agent: before, isHeld: state !== 'listed' || proposal !== undefined };
  if (state !== 'listed') {
    const unlisted = transaction.updateTable('unlisted_agents').where('id', '=', agent.id);
    if (state === 'refused') {
      await unlisted.set({ state: 'held', reason: '', since: toTime(now) }).execute();
      await tell(registry, transaction, { type: 'held', agents: [stored] });
    }
    return { agent: await editUnlisted(transaction, agent, patch), isHeld: true };
  }
  if (!review || changed.every((field) => review.except.has(field))) {
    const updated = await editListed(registry, transaction, stored, review ? pick(wanted, changed) : patch, {
      actor,
      now,
    });
    const rest = fieldsOf(proposal?.patch ?? {}).filter((field) => !changed.includes(field));
    return propose(transaction, updated, proposal && { ...proposal, patch: pick(proposal.patch, rest) });
  }
  const proposed = await propose(transaction, agent, {
    agentId: agent.id,
    state: 'waiting',
    since: toTime(now),
    patch: differenceOf(agent, wanted),
    reason: '',
  });
  if (proposed.isHeld) await tell(registry, transaction, { type: 'held', agents: [stored] });
  return proposed;
}

/** Stores the proposal of a listed agent; one without changes is removed. */
async function propose(transaction: Kysely<Tables>, agent: Agent, proposal: Proposal | undefined) {
  if (!proposal) return { agent, isHeld: false };
  if (fieldsOf(proposal.patch).length === 0) {
    await removeProposal(transaction, agent.id);
    return { agent, isHeld: false };
  }
  await writeRecords(transaction, 'proposal', [proposal]);
  return { agent: toProposedVersion(agent, proposal), isHeld: true };
}

function toTime(now: number): string {
  return new Date(now).toISOString();
}
