import { isDay } from '@agent-registry/contracts';

/** Longest pause within a visit, in milliseconds. */
const MAX_PAUSE = 30 * 60_000;

export const VISIT_KEY = 'agent-registry.visit';

export type Visit = {
  /** The instant at which the site was last seen, in UTC. */
  seenAt: string;
  /** The UTC day of the visit before; undefined for a first visit, and for another one on the same day. */
  since?: string | undefined;
};

/** The visit of a browser that shows the site now: the same one, or after 30 minutes without a visit the next one. */
export function rollOver(visit: Visit | undefined, now: Date): Visit {
  const seenAt = now.toISOString();
  if (!visit) return { seenAt };
  if (now.getTime() - Date.parse(visit.seenAt) <= MAX_PAUSE) return { ...visit, seenAt };
  const lastDay = toDay(visit.seenAt);
  // Lists are filtered by days, so nothing can be said of a second visit on the same day.
  return lastDay < toDay(seenAt) ? { seenAt, since: lastDay } : { seenAt };
}

/** Parses a visit. @throws if its instant is none */
export function parseVisit(json: unknown): Visit {
  const { seenAt = '', since = '' } = json as Partial<Visit>;
  return { seenAt: new Date(seenAt).toISOString(), ...(isDay(since) && { since }) };
}

function toDay(instant: string): string {
  return instant.slice(0, 10);
}
