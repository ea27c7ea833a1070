import { toUserAgent } from '../website-check/user-agent.ts';
import { RedirectError } from '../website-check/guarded-fetch.ts';
import type { Websites } from '../website-check/check-website.ts';
import type { ValidDescription } from './describe-file.ts';

/** The most milliseconds and requests of a call, redirects included, and the most bytes of a response that are read. */
const [TIMEOUT, MAX_REQUESTS, MAX_SIZE] = [5_000, 5, 262_144] as const;

const ACCEPT_JSON = 'application/json, */*;q=0.5';
const ACCEPT_PAGE = 'text/html, application/json;q=0.9, */*;q=0.5';

/** Where descriptions are looked for besides the address itself. The second card is that of A2A 0.2. */
const [CARD, FORMER_CARD] = ['/.well-known/agent-card.json', '/.well-known/agent.json'] as const;
const OTHERS = ['/.well-known/ard.json', '/.well-known/mcp/server-card.json'];

/** What was found at an address. Hosts that are refused, and hosts that cannot be reached, look the same: empty. */
export type Found = {
  descriptions: ValidDescription[];
  /** Another host to which the address redirects. */
  redirectsTo: string | undefined;
};

export type ReadDescriptions = ReturnType<typeof createDescriptionReader>;

export function createDescriptionReader(
  { fetch, readFile: readInThread }: Pick<Websites, 'fetch' | 'readFile'>,
  timeout: number = TIMEOUT,
) {
  /** Reads the descriptions of the host of an address, with at most five requests, redirects included; never rejects. */
  return async function readDescriptions(address: string, { origin }: { origin: string }): Promise<Found> {
    const options = { userAgent: toUserAgent(origin), signal: AbortSignal.timeout(timeout), maxSize: MAX_SIZE };
    const url = new URL(address);
    let requests = 0;
    const page = read(url, ACCEPT_PAGE);
    // Redirects of the page itself come before those of files.
    const readFile = (path: string) => read(new URL(path, url), ACCEPT_JSON, page);
    const card = readFile(CARD).then(async (current) => {
      if (current.descriptions.length > 0) return current;
      await page;
      return readFile(FORMER_CARD);
    });
    const found = await Promise.all([card, page, ...OTHERS.map(readFile)]);
    return { descriptions: found.flatMap((each) => each.descriptions), redirectsTo: found[1].redirectsTo };

    /** @param first awaited before redirects are followed */
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
        const isRead = status === 200 && !isChallenge;
        const descriptions = isRead ? await readInThread('descriptions', { text, type, url: target.href }) : [];
        return { descriptions, redirectsTo: undefined };
      } catch (error) {
        const redirectsTo = error instanceof RedirectError ? error.target?.href : undefined;
        return { descriptions: [], redirectsTo };
      }
    }
  };
}
