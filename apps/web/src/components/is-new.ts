const DAY = 86_400_000;

/** How long agents count as new, in days. */
const NEW_FOR = 7;

/** Whether an agent was added within the last seven days. */
export function isNew(createdAt: string, today: string): boolean {
  return countDays(createdAt, today) < NEW_FOR;
}

function countDays(instant: string, today: string): number {
  return Math.floor(Date.parse(today) / DAY) - Math.floor(Date.parse(instant) / DAY);
}
