/** Times in milliseconds. */
export type Times = number[];

/** Does something and adds how long it took to the times. */
export async function time<Result>(times: Times, action: () => Promise<Result> | Result): Promise<Result> {
  const begin = performance.now();
  const result = await action();
  times.push(performance.now() - begin);
  return result;
}

/** The number that `share` of all numbers, from 0 to 1, do not exceed. */
function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle of the numbers. */
export const median = (numbers: readonly number[]) => percentile(numbers, 0.5);
/** What one in a hundred exceeds. */
export const p99 = (numbers: readonly number[]) => percentile(numbers, 0.99);
/** The greatest. */
export const max = (numbers: readonly number[]) => percentile(numbers, 1);
/** The least. */
export const min = (numbers: readonly number[]) => percentile(numbers, 0);
