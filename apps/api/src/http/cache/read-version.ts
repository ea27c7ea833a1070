import { inTime } from '../../in-time.ts';
import type { CachedRoute } from './response-cache.ts';

/**
 * The version, or undefined when it cannot be read in half of the time: then the response is produced, which shows the
 * reason, or needs no database.
 */
export async function tryReadVersion({ readVersion }: CachedRoute, deadline: number): Promise<string | undefined> {
  try {
    const version = readVersion();
    return typeof version === 'string' ? version : await inTime(version, (performance.now() + deadline) / 2);
  } catch {
    return undefined;
  }
}
