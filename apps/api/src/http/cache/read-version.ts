import { inTime } from '../../db/in-time.ts';
import type { CachedRoute } from './response-cache.ts';

/** The version, or undefined when it cannot be read: then the response is produced, which shows the reason. */
export async function tryReadVersion({ readVersion }: CachedRoute, deadline: number): Promise<string | undefined> {
  try {
    const version = readVersion();
    return typeof version === 'string' ? version : await inTime(version, deadline);
  } catch {
    return undefined;
  }
}
