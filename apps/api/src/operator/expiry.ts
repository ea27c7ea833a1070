import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { forgetActions } from '../actions/record-of-actions.ts';
import type { Tables } from '../db/tables.ts';
import { forgetEvents } from '../webhook/webhook-store.ts';
import { forgetDecided } from '../agents/proposals.ts';
import { forgetViews } from '../stats/view-store.ts';
import { deleteExpiredKeys } from '../agents/registrations.ts';
import { forgetWithdrawn } from '../agents/unlisted-agents.ts';

/** How long changes are kept, in milliseconds. The latest change of a listed agent stays. */
const KEPT_TIME = 400 * 86_400_000;
const KEPT_CHANGES = 200;
/** Agents whose changes are counted at once, few enough that requests do not wait long. */
const AGENTS_AT_ONCE = 200;
/** The pause for requests between two counts, in milliseconds. */
const PAUSE = 10;
/** How often expired data is deleted, in milliseconds. */
export const EXPIRY_INTERVAL = 600_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The hourly times in a row after which the clock is trusted again. */
const STEADY_HOURS = 24;

/**
 * Deletes expired idempotency keys and forgets old changes, old actions and events of the operator, old views,
 * decided proposals, and agents that were withdrawn long ago; nothing while the clock is not trusted.
 * @param time the time, in milliseconds since 1970
 */
export async function deleteExpired(db: Kysely<Tables>, time: number, signal?: AbortSignal): Promise<void> {
  if (!(await isClockSteady(db, time))) return;
  await deleteExpiredKeys(db, time, signal);
  await forgetWithdrawn(db, time);
  await forgetDecided(db, time);
  await forgetChanges(db, time, signal);
  await forgetActions(db, time);
  await forgetEvents(db, time);
  await forgetViews(db, time);
}

/** Notes the time once an hour, and says whether the clock has gone on without a jump of more than a day since long. */
async function isClockSteady(db: Kysely<Tables>, time: number): Promise<boolean> {
  const former = await db.selectFrom('expiry_clock').selectAll().executeTakeFirst();
  const gap = former ? Math.abs(time - Date.parse(former.at)) : Infinity;
  let hours = former?.hours ?? 0;
  if (gap >= HOUR) {
    hours = gap <= DAY ? Math.min(hours + 1, STEADY_HOURS) : 1;
    const noted = { at: new Date(time).toISOString(), hours };
    await db
      .insertInto('expiry_clock')
      .values({ name: 'expiry', ...noted })
      // Of several processes, the first one notes the hour.
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(noted)
          .where('expiry_clock.at', '=', former?.at ?? ''),
      )
      .execute();
  }
  return hours >= STEADY_HOURS;
}

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
