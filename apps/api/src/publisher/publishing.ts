import type { Kysely } from 'kysely';
import { toStored, writeAgentsAgain, type Registry } from '../agents/agent-rows.ts';
import { editListed } from '../agents/edit-agent.ts';
import { findState, type OwnedState } from '../agents/find-owned.ts';
import type { EditReview } from '../agents/owner-changes.ts';
import { moveUnlisted, removeUnlisted } from '../agents/unlisted-agents.ts';
import type { Tables } from '../db/tables.ts';
import { RegistryError } from '../registry-error.ts';
import type { Publication } from '../servers/publications.ts';
import type { PublisherEntry } from './find-entry.ts';

/** Who publishers are in histories. */
export const ACTOR = 'website';

/** In whose name a server is published, and how. */
export type Publishing = {
  domain: string;
  /** Whether the key of the domain proves control of a website. */
  proves: (website: string | null) => boolean;
  /** How edits are reviewed, and registrations; undefined if they are not. */
  review: EditReview | undefined;
  /** Why nothing can be registered; undefined if it can. */
  closed: string | undefined;
};

/** What became of a call: whether it waits for review. */
export type Published = { publication: Publication; isHeld: boolean };

/** Notes a change of an agent that is none of its fields. */
export async function touch(registry: Registry, transaction: Kysely<Tables>, id: string, now: number): Promise<void> {
  const row = await transaction.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  if (row) await editListed(registry, transaction, toStored(row), {}, { actor: ACTOR, now });
}

/** Returns a withdrawn entry to the state in which it was. */
export async function bringBack(
  registry: Registry,
  transaction: Kysely<Tables>,
  { id, withdrawn }: PublisherEntry & { owned?: never },
): Promise<OwnedState> {
  const { seq, formerState } = withdrawn;
  const since = new Date().toISOString();
  if (formerState === undefined) {
    const removed = await removeUnlisted(transaction, [seq], 'withdrawn');
    await writeAgentsAgain(registry, transaction, removed, { actor: ACTOR });
  } else {
    const state = formerState === 'refused' ? 'held' : formerState;
    const reason = formerState === 'refused' ? '' : withdrawn.reason;
    await moveUnlisted(transaction, [seq], { state: 'withdrawn' }, { state, since, reason, formerState: null });
  }
  const owned = await findState(transaction, id);
  if (typeof owned === 'string')
    throw new RegistryError('forbidden', 'The operator of this registry has hidden this entry');
  return owned;
}
