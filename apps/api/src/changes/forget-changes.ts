import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** How long changes are kept, in milliseconds. The latest change of a listed agent stays. */
const KEPT_TIME = 400 * 86_400_000;
/** How many changes of an agent are kept. */
const KEPT_CHANGES = 200;
/** Agents whose changes are counted at once, few enough that requests do not wait long. */
const AGENTS_AT_ONCE = 200;
/** The pause for requests between two counts, in milliseconds. */
const PAUSE = 10;

/**
 * Forgets the changes that are too old or too many.
 * @param time the time, in milliseconds since 1970
 */
export async function forgetChanges(db: Kysely<Tables>, time: number, signal?: AbortSignal): Promise<void> {
  const before = new Date(time - KEPT_TIME).toISOString();
  await db.deleteFrom('agent_changes').where('at', '<', before).where('is_latest', '=', 0).execute();
  await forgetRemovals(db, before);
  await forgetSurplus(db, signal);
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

async function forgetSurplus(db: Kysely<Tables>, signal: AbortSignal | undefined): Promise<void> {
  for (let last = ''; ;) {
    const agents = await db
      .selectFrom('agent_changes')
      .select(['agent_id as id', (select) => select.fn.countAll<number>().as('changes')])
      .where('agent_id', '>', last)
      .groupBy('agent_id')
      .orderBy('agent_id')
      .limit(AGENTS_AT_ONCE)
      .execute();
    for (const { id, changes } of agents) if (changes > KEPT_CHANGES) await keepLatest(db, id);
    const end = agents.at(-1);
    if (!end) return;
    last = end.id;
    await setTimeout(PAUSE, undefined, { signal });
  }
}

async function keepLatest(db: Kysely<Tables>, id: string): Promise<void> {
  const kept = db
    .selectFrom('agent_changes')
    .select('number')
    .where('agent_id', '=', id)
    .orderBy('number', 'desc')
    .limit(KEPT_CHANGES);
  await db.deleteFrom('agent_changes').where('agent_id', '=', id).where('number', 'not in', kept).execute();
}
