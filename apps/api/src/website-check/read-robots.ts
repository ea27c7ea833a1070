import type { ReadFile } from '../website-files/read-file.ts';
import { RedirectError, type GuardedFetch } from './guarded-fetch.ts';

/** Whether the registry may ask for a page, and the status of the file that says so. */
export type Robots = { isAllowed: boolean; status: number };

/** Reads the robots.txt of the host of a page; rejects with the error of the fetch. */
export type ReadRobots = (page: URL, signal: AbortSignal) => Promise<Robots>;

/** Creates the reader of robots.txt. A file on another host counts as none. */
export function createRobotsReader(
  fetch: GuardedFetch,
  { userAgent, readFile }: { userAgent: string; readFile: ReadFile },
): ReadRobots {
  return async function readRobots(page, signal) {
    const { status, text } = await fetch(new URL('/robots.txt', page), { userAgent, signal }).catch(
      (error: unknown) => {
        if (error instanceof RedirectError) return { status: 404, text: '' };
        throw error;
      },
    );
    // RFC 9309: while a server cannot give its robots.txt, nothing else is asked of it.
    if (status >= 500) return { isAllowed: false, status };
    const isAllowed = status !== 200 || (await readFile('robots', { text, type: 'text/plain', url: page.href }));
    return { isAllowed, status };
  };
}
