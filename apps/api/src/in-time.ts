import { setTimeout } from 'node:timers/promises';
import { DatabaseUnavailableError } from './database-error.ts';

/**
 * Rejects with `DatabaseUnavailableError` if a result is not there by a deadline.
 * @param deadline as `performance.now()` counts; `Infinity` for none
 */
export async function inTime<Result>(result: Promise<Result>, deadline: number): Promise<Result> {
  if (deadline === Infinity) return result;
  const timer = new AbortController();
  const late = setTimeout(Math.max(0, deadline - performance.now()), undefined, timer).then(() => {
    throw new DatabaseUnavailableError('The database does not answer in time.');
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    timer.abort();
  }
}
