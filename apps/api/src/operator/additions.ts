import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Acting } from '../actions/operator-action.ts';
import { recordAction } from '../actions/record-of-actions.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import { writeAgents } from '../agents/agent-rows.ts';
import type { Addition, OperatorStore } from './operator-store.ts';

/** Creates the part of the operator store that adds agents under ids of their own. */
export function createAdditions(engine: Engine, acting?: Acting): Pick<OperatorStore, 'add' | 'addTogether'> {
  const { db } = engine;

  return {
    add(agents) {
      return db.transaction().execute(async (transaction) => {
        // An agent must not be hidden or withdrawn while its id is looked for.
        await engine.lockWrites(transaction);
        return addTo(transaction, agents);
      });
    },

    async addTogether(use) {
      const transaction = await db.startTransaction().execute();
      try {
        await engine.lockWrites(transaction);
        if (await use((agents) => addTo(transaction, agents))) await transaction.commit().execute();
      } finally {
        if (!transaction.isCommitted) await transaction.rollback().execute();
      }
    },
  };

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
        : await writeAgents(engine, transaction, free, { actor: 'import', listedAt: new Date().toISOString() });
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
