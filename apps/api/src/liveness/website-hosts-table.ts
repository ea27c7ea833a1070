import type { Generated } from 'kysely';

/** The hosts of the websites of listed agents, and whether they answer. A host goes with the last agent that has it. */
export type WebsiteHostsTable = {
  host: string;
  /** When it is asked next: ISO 8601 in UTC with milliseconds, as all times here. */
  due_at: string;
  /** Until when a process asks it; empty while none does. */
  leased_until: Generated<string>;
  answered_at: string | null;
  /** The days on which it failed since it answered. */
  failures: Generated<number>;
  first_failed_at: string | null;
  last_failed_at: string | null;
};
