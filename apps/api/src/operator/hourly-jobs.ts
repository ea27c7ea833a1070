import type { Kysely } from 'kysely';
import type { HourlyRun, Tables } from '../db/tables.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The hourly runs in a row after which the clock is trusted again. */
export const STEADY_HOURS = 24;

/** How often a process asks whether the hour of a job is over, in milliseconds. */
export const HOURLY_INTERVAL = 600_000;

/** Takes the run of an hourly job that is due, which one process of all gets; undefined if none is due. */
export async function takeHour(
  db: Kysely<Tables>,
  name: HourlyRun['name'],
  time: number,
): Promise<HourlyRun | undefined> {
  const former = await db.selectFrom('hourly_jobs').selectAll().where('name', '=', name).executeTakeFirst();
  const gap = former ? Math.abs(time - Date.parse(former.at)) : Infinity;
  if (gap < HOUR) return undefined;
  const hours = gap <= DAY ? Math.min((former?.hours ?? 0) + 1, STEADY_HOURS) : 1;
  const run = { name, at: new Date(time).toISOString(), hours, mark: former?.mark ?? 0 };
  return db
    .insertInto('hourly_jobs')
    .values(run)
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ at: run.at, hours })
        .where('hourly_jobs.at', '=', former?.at ?? ''),
    )
    .returningAll()
    .executeTakeFirst();
}
