import { toUserAgent } from '../website-check/user-agent.ts';
import { RedirectError } from '../website-check/guarded-fetch.ts';
import type { Websites } from '../website-check/check-website.ts';
import type { ValidDescription } from './describe-file.ts';

/** How long all requests together may take, in milliseconds. */
const TIMEOUT = 5_000;
/** The most requests of a call, redirects included. */
const MAX_REQUESTS = 5;
/** The most bytes of a response that are read. */
const MAX_SIZE = 262_144;

const ACCEPT_JSON = 'application/json, */*;q=0.5';
const ACCEPT_PAGE = 'text/html, application/json;q=0.9, */*;q=0.5';

/** Where each kind of description is looked for besides the address itself: by its standard, then by its other drafts. */
const PLACES = [
  ['/.well-known/agent-card.json', '/.well-known/agent.json'],
  ['/.well-known/ard.json', '/.well-known/ai-catalog.json'],
  ['/.well-known/mcp/server-card.json', '/.well-known/mcp-server-card', '/.well-known/mcp.json'],
] as const;

/** What was found at an address. Hosts that are refused, and hosts that cannot be reached, look the same: empty. */
export type Found = {
  descriptions: ValidDescription[];
  /** Another host to which the address redirects. */
  redirectsTo: string | undefined;
};

/** Reads the descriptions of the host of an address, with at most five requests, redirects included; never rejects. */
export type ReadDescriptions = (url: string, options: { origin: string }) => Promise<Found>;

export function createDescriptionReader(
  { fetch, readFile: readInThread }: Pick<Websites, 'fetch' | 'readFile'>,
  timeout: number = TIMEOUT,
): ReadDescriptions {
  return async function readDescriptions(address, { origin }) {
    const options = {
      userAgent: toUserAgent(origin),
      signal: AbortSignal.timeout(timeout),
      maxSize: MAX_SIZE,
    };
    const url = new URL(address);
    let requests = 0;
    const page = read(url, ACCEPT_PAGE);
    const found = await Promise.all(PLACES.map(([place]) => readFile(place)));
    const { redirectsTo, descriptions } = await page;
    // A host that gives a page at any path, or an error, is asked at the next place while requests are left.
    for (const round of [1, 2]) {
      for (const [index, { [round]: place }] of PLACES.entries()) {
        const isMissing = found[index]?.descriptions.length === 0 && place !== undefined;
        if (isMissing && requests < MAX_REQUESTS) found[index] = await readFile(place);
      }
    }
    return { descriptions: [...descriptions, ...found.flatMap((file) => file.descriptions)], redirectsTo };

    /** Reads a file at its known path, unless that is the address itself. Redirects of the page come before those of files. */
    function readFile(path: string): Promise<Found> {
      const file = new URL(path, url);
      return file.href === url.href ? page : read(file, ACCEPT_JSON, page);
    }

    /** @param first of a file: awaited before redirects are followed */
    async function read(target: URL, accept: string, first?: Promise<unknown>): Promise<Found> {
      let own = 0;
      const beforeRequest = async () => {
        own += 1;
        if (own > 1) await first;
        requests += 1;
        if (requests > MAX_REQUESTS) throw new Error('The website redirects too often');
      };
      try {
        const { status, type, text, isChallenge } = await fetch(target, { ...options, accept, beforeRequest });
        if (status !== 200 || isChallenge) return { descriptions: [], redirectsTo: undefined };
        // No page is a file, whatever the host says.
        const file = { text, type: first ? 'application/json' : type, url: target.href };
        const descriptions = await readInThread('descriptions', file);
        return { descriptions, redirectsTo: undefined };
      } catch (error) {
        const redirectsTo = error instanceof RedirectError ? error.target?.href : undefined;
        return { descriptions: [], redirectsTo };
      }
    }
  };
}
