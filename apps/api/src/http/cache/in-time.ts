import { setTimeout } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../../db/engine.ts';
import type { CachedRoute } from './response-cache.ts';

/** Rejects with `DatabaseUnavailableError` if a result takes longer than so many milliseconds. */
export async function inTime<Result>(result: Promise<Result>, timeout: number): Promise<Result> {
  const timer = new AbortController();
  const late = setTimeout(timeout, undefined, timer).then(() => {
    throw new DatabaseUnavailableError('The database does not answer in time.');
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    timer.abort();
  }
}

/** The version, or undefined when it cannot be read: then the response is produced, which shows the reason. */
export async function tryReadVersion({ readVersion }: CachedRoute, timeout: number): Promise<string | undefined> {
  try {
    const version = readVersion();
    return typeof version === 'string' ? version : await inTime(version, timeout);
  } catch {
    return undefined;
  }
}
