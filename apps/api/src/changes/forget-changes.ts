import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** How long changes are kept, in milliseconds. The latest change of a listed agent stays. */
const KEPT_TIME = 400 * 86_400_000;
/** How many changes of an agent are kept. */
const KEPT_CHANGES = 200;

/**
 * Forgets the changes that are too old or too many.
 * @param time the time, in milliseconds since 1970
 */
export async function forgetChanges(db: Kysely<Tables>, time: number): Promise<void> {
  const before = new Date(time - KEPT_TIME).toISOString();
  await db.deleteFrom('agent_changes').where('at', '<', before).where('is_latest', '=', 0).execute();
  await forgetRemovals(db, before);
  await forgetSurplus(db);
}

/** Forgets removed agents; who reads the log from a place before their removals would keep them. */
async function forgetRemovals(db: Kysely<Tables>, before: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const removed = await transaction
      .deleteFrom('agent_changes')
      .where('at', '<', before)
      .where('kind', '=', 'removed')
      .where('is_latest', '=', 1)
      .returning('number')
      .execute();
    if (removed.length === 0) return;
    const forgotten = removed.reduce((last, { number }) => Math.max(last, number), 0);
    await transaction.updateTable('change_log').set({ forgotten }).where('forgotten', '<', forgotten).execute();
  });
}

async function forgetSurplus(db: Kysely<Tables>): Promise<void> {
  const edited = await db
    .selectFrom('agent_changes')
    .select('agent_id')
    .groupBy('agent_id')
    .having((having) => having.fn.countAll(), '>', KEPT_CHANGES)
    .execute();
  for (const { agent_id: id } of edited) {
    const kept = db
      .selectFrom('agent_changes')
      .select('number')
      .where('agent_id', '=', id)
      .orderBy('number', 'desc')
      .limit(KEPT_CHANGES);
    await db.deleteFrom('agent_changes').where('agent_id', '=', id).where('number', 'not in', kept).execute();
  }
}
