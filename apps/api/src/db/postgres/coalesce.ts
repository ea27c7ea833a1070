import { setTimeout } from 'node:timers/promises';

/** How long a call waits for the call before it, in milliseconds: a lost connection is noticed only after some seconds. */
const MAX_WAIT = 1_000;

/**
 * Coalesces concurrent calls: all calls made while one runs share the next, which begins after they were made. So none
 * gets a result from before its call, and more than one runs at a time only while the first is slow.
 */
export function coalesce<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;

  async function begin(previous: Promise<unknown>): Promise<Result> {
    const timer = new AbortController();
    await Promise.race([previous, setTimeout(MAX_WAIT, undefined, timer)]).catch(() => {});
    timer.abort();
    next = undefined;
    return call();
  }

  return () => {
    if (!next) last = next = begin(last);
    return next;
  };
}
