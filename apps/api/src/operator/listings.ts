import type { Agent, ChangeActor } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { type Acting, recordAction } from '../actions/record-of-actions.ts';
import { unlistedStates, type UnlistedState } from '../db/states.ts';
import type { Tables } from '../db/tables.ts';
import { writeAgentsAgain, writeAgents, type Registry, type StoredAgent } from '../agents/agent-rows.ts';
import { type AgentSelection, collectSeqs, selectAgents } from '../agents/select-agents.ts';
import { changeInBulk, type BulkActor, type NamedAgent } from './change-in-bulk.ts';
import { removeRegistrationKeys } from '../agents/registrations.ts';
import {
  moveUnlisted,
  removeListed,
  removeUnlisted,
  writeUnlisted,
  type Unlisting,
} from '../agents/unlisted-agents.ts';

/** The result of adding an agent: stored, or skipped because a visible agent or one in that state has its id. */
export type Addition = 'added' | 'taken' | UnlistedState;

export function createListings(registry: Registry, acting: Acting | undefined) {
  const { db } = registry;
  return {
    /** Hides agents from all readers, and from their owners, in one transaction; other writers wait meanwhile. */
    async hide(selection: AgentSelection, reason: string): Promise<{ agents: NamedAgent[]; hiddenAt: string }> {
      const hiddenAt = new Date().toISOString();
      return { agents: await unlist(selection, { state: 'hidden', reason, since: hiddenAt }), hiddenAt };
    },
    /** Returns the selected agents to the state in which they were; withdrawn ones within 30 days. */
    unhide: (selection: AgentSelection) => relistSelected(selection, 'hidden'),
    restore: (selection: AgentSelection) => relistSelected(selection, 'withdrawn'),
    withdraw: (selection: AgentSelection, by?: BulkActor) =>
      unlist(selection, { state: 'withdrawn', reason: '', since: new Date().toISOString() }, by),
  };

  /** Takes the selected agents from the lists, or moves them from another state. */
  async function unlist(
    selection: AgentSelection,
    unlisting: Unlisting,
    by: BulkActor = 'operator',
  ): Promise<NamedAgent[]> {
    const selected = await collectSeqs(selectAgents(db, selection));
    return changeInBulk({ registry, acting, actor: by, seen: selection.seen }, selected, async (transaction, seqs) => {
      const listed = await removeListed(registry, transaction, seqs, by);
      const removed = [...listed];
      for (const state of unlistedStates.filter((other) => other !== unlisting.state)) {
        const to = { ...unlisting, formerState: state };
        removed.push(...(await moveUnlisted(transaction, seqs, { state }, to)));
      }
      await writeUnlisted(transaction, listed, unlisting);
      if (unlisting.state === 'withdrawn') {
        await removeRegistrationKeys(
          transaction,
          removed.map(({ agent }) => agent.id),
        );
      }
      return removed;
    });
  }

  async function relistSelected(selection: AgentSelection, state: UnlistedState): Promise<NamedAgent[]> {
    const selected = await collectSeqs(selectAgents(db, selection, [state]));
    const since = new Date().toISOString();
    return changeInBulk({ registry, acting, seen: selection.seen }, selected, (transaction, seqs) =>
      relist(registry, transaction, seqs, { state, since, actor: 'operator' }),
    );
  }
}

/** Returns agents of a state to the one before: most are listed again, at the place that they had. */
export async function relist(
  registry: Registry,
  transaction: Kysely<Tables>,
  seqs: readonly number[],
  { state, since, actor }: { state: UnlistedState; since: string; actor: ChangeActor },
): Promise<StoredAgent[]> {
  const returned: StoredAgent[] = [];
  for (const formerState of unlistedStates) {
    // A refused one waits again: the reason may have been replaced.
    const to = {
      state: formerState === 'refused' ? 'held' : formerState,
      since,
      formerState: null,
      ...(formerState !== 'hidden' && { reason: '' }),
    } as const;
    returned.push(...(await moveUnlisted(transaction, seqs, { state, formerState }, to)));
  }
  const removed = await removeUnlisted(transaction, seqs, state);
  await writeAgentsAgain(registry, transaction, removed, { actor });
  return [...returned, ...removed];
}

export function createAdditions(registry: Registry, acting: Acting | undefined) {
  const { db } = registry;
  return { add, addTogether };

  function add(agents: readonly Agent[]): Promise<Addition[]> {
    return db.transaction().execute(async (transaction) => {
      // An agent must not be hidden or withdrawn while its id is looked for.
      await registry.lockWrites(transaction);
      return addTo(transaction, agents);
    });
  }

  /** Runs `use` in one transaction, which is committed if it resolves to true and rolled back otherwise. */
  async function addTogether(use: (together: typeof add) => Promise<boolean>): Promise<void> {
    const transaction = await db.startTransaction().execute();
    try {
      await registry.lockWrites(transaction);
      if (await use((agents) => addTo(transaction, agents))) await transaction.commit().execute();
    } finally {
      if (!transaction.isCommitted) await transaction.rollback().execute();
    }
  }

  async function addTo(transaction: Kysely<Tables>, agents: readonly Agent[]): Promise<Addition[]> {
    const ids = agents.map(({ id }) => id);
    const rows = await transaction
      .selectFrom('unlisted_agents')
      .select(['id', 'state'])
      .where('id', 'in', ids)
      .execute();
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    const free = agents.filter(({ id }) => !states.has(id)).map((agent) => ({ agent }));
    const added =
      free.length === 0
        ? new Set<string>()
        : await writeAgents(registry, transaction, free, { actor: 'import', listedAt: new Date().toISOString() });
    // If two agents have one id, the first was added.
    const additions = agents.map(({ id }) => states.get(id) ?? (added.delete(id) ? 'added' : 'taken'));
    await recordAction(
      transaction,
      acting,
      agents.filter((_, index) => additions[index] === 'added'),
    );
    return additions;
  }
}
