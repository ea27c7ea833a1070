import type { Agent, AgentPatch, EditableField } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { editListed, editUnlisted, mergePatch } from './edit-agent.ts';
import { toOwnVersion, type OwnedState, type OwnedVersion } from './find-owned.ts';
import type { Tables } from '../db/tables.ts';
import {
  differenceOf,
  fieldsOf,
  pick,
  removeProposal,
  toProposedVersion,
  writeProposal,
  type Proposal,
} from './proposals.ts';
import { tell, type Registry } from './registry.ts';

/** Which edits of listed agents wait for the operator's review. */
export type EditReview = {
  /** Edits of these fields alone are listed at once. */
  except: ReadonlySet<EditableField>;
};

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
  { review, now }: { review: EditReview | undefined; now: number },
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
      actor: 'owner',
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
async function propose(
  transaction: Kysely<Tables>,
  agent: Agent,
  proposal: Proposal | undefined,
): Promise<OwnedVersion> {
  if (!proposal) return { agent, isHeld: false };
  if (fieldsOf(proposal.patch).length === 0) {
    await removeProposal(transaction, agent.id);
    return { agent, isHeld: false };
  }
  await writeProposal(transaction, proposal);
  return { agent: toProposedVersion(agent, proposal), isHeld: true };
}

function toTime(now: number): string {
  return new Date(now).toISOString();
}
