import type { Generated } from 'kysely';

/**
 * What happened on a day: kept 400 days. Numbers only, nothing of an agent or a person, so that an erasure leaves them.
 * The views of the day are in `daily_views`.
 */
export type DailyFiguresTable = {
  /** The UTC day, such as 2026-11-21. */
  day: string;
  /** Agents registered by visitors, those that were held included. */
  registrations: Generated<number>;
  /** Edits by owners, those that wait for review included. */
  edits: Generated<number>;
  reports: Generated<number>;
  searches_without_result: Generated<number>;
  rate_limited_calls: Generated<number>;
};
