import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { forgetActions } from '../actions/record-of-actions.ts';
import type { Tables } from '../db/tables.ts';
import { forgetEvents } from '../webhook/webhook-store.ts';
import { forgetDecided } from '../agents/proposals.ts';
import { forgetViews } from '../stats/view-store.ts';
import { deleteExpiredKeys } from '../agents/registrations.ts';
import { forgetWithdrawn } from '../agents/unlisted-agents.ts';
import { STEADY_HOURS, takeHour } from './hourly-jobs.ts';

/** How long changes are kept, in milliseconds. The latest change of a listed agent stays. */
const KEPT_TIME = 400 * 86_400_000;
const KEPT_CHANGES = 200;
/** Changes whose agents are looked at together, few enough that requests do not wait long. */
const CHANGES_AT_ONCE = 200;
/** The pause for requests between two counts, in milliseconds. */
const PAUSE = 10;

/** Forgets what is too old, once an hour; nothing before the clock has gone on for a day without a jump of more than a day. */
export async function deleteExpired(db: Kysely<Tables>, time: number, signal?: AbortSignal): Promise<void> {
  const run = await takeHour(db, 'expiry', time);
  if (!run || run.hours < STEADY_HOURS) return;
  await deleteExpiredKeys(db, time, signal);
  await forgetWithdrawn(db, time);
  await forgetDecided(db, time);
  const mark = await forgetChanges(db, time, { mark: run.mark, signal });
  await db.updateTable('hourly_jobs').set({ mark }).where('name', '=', 'expiry').execute();
  await forgetActions(db, time);
  await forgetEvents(db, time);
  await forgetViews(db, time);
}

/** Forgets the changes that are too old, and those of agents with too many since a mark; returns the next mark. */
export async function forgetChanges(
  db: Kysely<Tables>,
  time: number,
  { mark = 0, signal }: { mark?: number; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const before = new Date(time - KEPT_TIME).toISOString();
  await db.deleteFrom('agent_changes').where('at', '<', before).where('is_latest', '=', 0).execute();
  await forgetRemovals(db, before);
  return forgetSurplus(db, mark, signal);
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

async function forgetSurplus(db: Kysely<Tables>, mark: number, signal: AbortSignal | undefined): Promise<number> {
  for (let last = mark; ;) {
    const changes = await db
      .selectFrom('agent_changes')
      .select(['number', 'agent_id'])
      .where('number', '>', last)
      .orderBy('number')
      .limit(CHANGES_AT_ONCE)
      .execute();
    const end = changes.at(-1);
    if (!end) return last;
    const ids = [...new Set(changes.map((change) => change.agent_id))];
    const changed = await db
      .selectFrom('agent_changes')
      .select('agent_id')
      .where('agent_id', 'in', ids)
      .groupBy('agent_id')
      .having((having) => having.fn.countAll(), '>', KEPT_CHANGES)
      .execute();
    for (const agent of changed) await keepLatest(db, agent.agent_id);
    last = end.number;
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
