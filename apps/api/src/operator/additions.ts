import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Acting } from '../actions/operator-action.ts';
import { recordAction } from '../actions/record-of-actions.ts';
import type { Registry } from '../agents/registry.ts';
import type { Tables, UnlistedState } from '../db/tables.ts';
import { writeAgents } from '../agents/agent-rows.ts';

/** The result of adding an agent: stored, or skipped because a visible agent or one in that state has its id. */
export type Addition = 'added' | 'taken' | UnlistedState;

/** Creates the part of the operator store that adds agents under ids of their own. */
export function createAdditions(registry: Registry, acting: Acting | undefined) {
  const { db } = registry;
  return { add, addTogether };

  /** Adds complete agents in one transaction, in their order; returns the result for each. */
  function add(agents: readonly Agent[]): Promise<Addition[]> {
    return db.transaction().execute(async (transaction) => {
      // An agent must not be hidden or withdrawn while its id is looked for.
      await registry.lockWrites(transaction);
      return addTo(transaction, agents);
    });
  }

  /**
   * Runs `use` in one transaction, which is committed if it resolves to true and rolled back otherwise. Other writers
   * wait meanwhile; readers do not.
   */
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
