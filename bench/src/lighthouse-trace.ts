import type { RunnerResult } from 'lighthouse';

type TraceEvent = RunnerResult['artifacts']['Trace']['traceEvents'][number] & {
  /** How long the processor worked on it, in microseconds. */
  tdur?: number;
};

/** How much slower than this machine's Lighthouse takes the processor of a phone to be. */
const SLOWER = 4;
/** What a task may take before it holds anybody up, in milliseconds. */
const SHORT = 50;

/**
 * The total blocking time as it would be on a processor that does nothing else: of each task of the page's thread after the
 * first paint, as slow as on a phone, what the processor worked on it beyond 50 ms; in milliseconds. Lighthouse's own figure
 * goes by the clock, and so counts also for how long a task stood still while something else ran.
 */
export function readBlockingByProcessor({ artifacts, lhr }: RunnerResult): number {
  const traceEvents: readonly TraceEvent[] = artifacts.Trace.traceEvents;
  const begin = traceEvents.findLast(
    ({ name, args }) => name === 'navigationStart' && args.data?.documentLoaderURL === lhr.requestedUrl,
  );
  const ofPage = traceEvents.filter(({ pid, ts }) => pid === begin?.pid && ts >= begin.ts);
  const painted = ofPage.findLast(({ name }) => name === 'firstContentfulPaint');
  if (!begin || !painted) return Number.NaN;
  return ofPage
    .filter(({ name, tid, ts }) => name === 'RunTask' && tid === begin.tid && ts > painted.ts)
    .reduce((sum, { tdur = 0 }) => sum + Math.max(0, (tdur / 1_000) * SLOWER - SHORT), 0);
}
