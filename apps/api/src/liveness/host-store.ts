import type { Verdict } from './verdict.ts';

/** What is known of a host of websites. Times are ISO 8601 in UTC with milliseconds. */
export type HostRecord = {
  host: string;
  /** When it is asked next. */
  dueAt: string;
  /** When it last answered; null if it never did. */
  answeredAt: string | null;
  /** The days on which it failed since then. */
  failures: number;
  firstFailedAt: string | null;
  lastFailedAt: string | null;
};

/** Stores the hosts of the websites of listed agents, which all processes share. */
export type HostStore = {
  /** Adds the hosts of listed agents that are missing, and removes the others. */
  sync(): Promise<void>;
  /** Takes hosts that are due; no process gets them again before the next day. */
  claimDue(limit: number): Promise<string[]>;
  /** Takes a host before it is due; false while another process has it. */
  claim(host: string): Promise<boolean>;
  /** Gives back a host that was not asked, until some milliseconds later. */
  postpone(host: string, wait: number): Promise<void>;
  /** Notes a verdict, and when the host is asked next. */
  record(host: string, verdict: Verdict): Promise<void>;
  /** What is known of a host; undefined before it is in the list. */
  find(host: string): Promise<HostRecord | undefined>;
  /** The hosts that have not answered for long enough to say so. */
  listSilent(): Promise<HostRecord[]>;
};

const DAY = 86_400_000;
/** Failures, each on a day of its own, before the registry says that a host does not answer. */
const MIN_FAILURES = 3;
/** How far the first and the last of them are apart at least, in milliseconds. */
const MIN_SILENCE = 7 * DAY;

/** When a host stopped to answer; null before that is certain enough to say. */
export function silentSince({ failures, firstFailedAt, lastFailedAt }: HostRecord): string | null {
  if (failures < MIN_FAILURES || firstFailedAt === null || lastFailedAt === null) return null;
  return Date.parse(lastFailedAt) - Date.parse(firstFailedAt) >= MIN_SILENCE ? firstFailedAt : null;
}
