import type { CallOptions, QueryContext } from './calls.ts';
import { RestError } from './rest-error.ts';
import type { Changes, ChangesRequest } from './contract.ts';

/** The time between two calls while nothing changes, in milliseconds. */
const INTERVAL = 60_000;
/** The first and the longest pause after a failed call without `Retry-After`, in milliseconds. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 300_000;

/** How the change log is followed. */
export type FollowOptions = Omit<ChangesRequest, 'limit'> & {
  /** The time between two calls while nothing changes, in milliseconds; a minute by default. */
  interval?: number | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
};

/** A page of the change log that is followed. */
export type FollowedChanges = Changes & {
  /** Whether the log starts here with its first change: forget all agents that you know. */
  isStart: boolean;
};

type List = (input: ChangesRequest, options?: CallOptions<QueryContext>) => Promise<Changes>;

/**
 * Follows the change log: yields each page with changes, and waits for the next. It goes on after outages and exceeded
 * limits, as late as `Retry-After` asks, and starts anew where the registry no longer knows the cursor.
 * @throws {RestError} for another refusal, such as that of a cursor that is none
 */
export async function* followChanges(
  list: List,
  { after: start, include, interval = INTERVAL, signal }: FollowOptions,
): AsyncGenerator<FollowedChanges, void, undefined> {
  let after = start;
  let isStart = after === undefined;
  let pause = FIRST_PAUSE;
  for (;;) {
    if (signal?.aborted) return;
    const page = await list({ after, include }, { signal }).catch((error: unknown) => error);
    if (!isChanges(page)) {
      if (signal?.aborted) return;
      if (page instanceof RestError && page.status === 410 && after !== undefined) {
        after = undefined;
        isStart = true;
        continue;
      }
      if (page instanceof RestError && page.status < 500 && page.status !== 429) throw page;
      await wait((page instanceof RestError ? page.retryAfter : undefined) ?? pause, signal);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
      continue;
    }
    pause = FIRST_PAUSE;
    if (page.changes.length > 0 || isStart) yield { ...page, isStart };
    after = page.next;
    isStart = false;
    if (!page.hasMore) await wait(interval, signal);
  }
}

function isChanges(page: unknown): page is Changes {
  return typeof page === 'object' && page !== null && 'changes' in page;
}

/** Waits for a time in milliseconds, or until the signal. */
function wait(time: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, time);
    signal?.addEventListener('abort', done, { once: true });
    // An event that came before the listener does not come again.
    if (signal?.aborted) done();
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}
