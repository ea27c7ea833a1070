import { setTimeout } from 'node:timers/promises';
import { forgetActions } from '../actions/record-of-actions.ts';
import { forgetChanges } from '../changes/forget-changes.ts';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { forgetFigures } from '../figures/daily-figures.ts';
import { forgetEvents } from '../webhook/operator-events.ts';
import { forgetDecided } from '../agents/proposals.ts';
import { forgetViews } from '../stats/view-store.ts';
import { deleteExpiredKeys } from '../agents/registration-keys.ts';
import { forgetWithdrawn } from '../agents/unlisted-agents.ts';

/** How often expired data is deleted, in milliseconds. */
const EXPIRY_INTERVAL = 600_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The hourly times in a row after which the clock is trusted again. */
const STEADY_HOURS = 24;

/**
 * Deletes expired idempotency keys and forgets old changes, old actions and events of the operator, old views and daily figures,
 * decided proposals, and agents that were withdrawn long ago, now and every ten minutes, in the background.
 * @param onError called with the error of a deletion, which is tried again the next time
 * @returns a function that ends this and waits for a deletion that is under way
 */
export function startExpiry(db: Kysely<Tables>, onError: (error: unknown) => void): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const expiring = expire();
  return async () => {
    closing.abort();
    await expiring;
  };

  async function expire(): Promise<void> {
    while (!signal.aborted) {
      await deleteExpired(db, Date.now(), signal).catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
      await setTimeout(EXPIRY_INTERVAL, undefined, { ref: false, signal }).catch(() => {});
    }
  }
}

/**
 * Deletes what has expired; nothing while the clock is not trusted.
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
  await forgetFigures(db, time);
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
