import { countOf } from '@agent-registry/contracts';

const DAY = 86_400_000;
const [DAYS_PER_MONTH, DAYS_PER_YEAR] = [30.44, 365.25];

/** How long agents count as new, in days. */
const NEW_FOR = 7;

/** Whether an agent was added within the last seven days. */
export function isNew(createdAt: string, today: string): boolean {
  return countDays(createdAt, today) < NEW_FOR;
}

/**
 * Describes an instant relative to a day in UTC.
 * @example describeAge('2026-09-02T10:00:00Z', '2026-11-23') // '2 months ago'
 */
export function describeAge(instant: string, today: string): string {
  const days = countDays(instant, today);
  if (days < 1) return 'today';
  if (days < 2) return 'yesterday';
  if (days < DAYS_PER_MONTH) return `${days} days ago`;
  if (days < DAYS_PER_YEAR) return `${countOf(Math.floor(days / DAYS_PER_MONTH), 'month')} ago`;
  return `${countOf(Math.floor(days / DAYS_PER_YEAR), 'year')} ago`;
}

function countDays(instant: string, today: string): number {
  return Math.floor(Date.parse(today) / DAY) - Math.floor(Date.parse(instant) / DAY);
}
