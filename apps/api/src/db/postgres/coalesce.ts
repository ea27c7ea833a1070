import { setTimeout } from 'node:timers/promises';

/** The longest wait for the run before, in milliseconds: a lost connection is detected only after some seconds. */
const MAX_WAIT = 1_000;

/**
 * Coalesces concurrent calls: all calls made while one runs share the next run, so no call gets a result older than
 * itself. A run starts after the run before it has ended, or after `MAX_WAIT`.
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
