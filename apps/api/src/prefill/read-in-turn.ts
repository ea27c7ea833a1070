import { networkOf, type RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { countWithin } from '../website-check/count-check.ts';
import { createHostLines } from '../website-check/host-lines.ts';
import { toSite } from '../hosts.ts';
import type { ReadDescriptions } from './read-descriptions.ts';

/** Readings that one client, and all clients together, may ask for within an hour. */
const [MAX_OF_CLIENT, MAX_OF_ALL] = [60, 600] as const;
const HOUR = 3_600_000;

export type ReadInTurn = ReturnType<typeof createReadInTurn>;

/**
 * Creates the readings of all clients: each host is read once at a time while few clients wait, so that the registry
 * floods no website. The lines are not those of website checks, whose places owners need.
 */
export function createReadInTurn(
  read: ReadDescriptions,
  rateLimiter: Pick<RateLimiter, 'consume'>,
  store: RateLimitStore,
) {
  const readInLine = createHostLines('readings');

  /**
   * Reads the descriptions of the host of an address when the turn of the client comes.
   * @throws {RegistryError} `too-many` beyond a limit
   */
  return async function readInTurn(url: string, { origin, address }: { origin: string; address: string }) {
    const site = toSite(url);
    const limitOf = (who: string, asked: string, limit: number) => ({
      key: `website-reading ${who}`,
      limit,
      window: HOUR,
      counted: `${asked} asked for ${limit} readings of websites within an hour`,
    });
    const count = async () => {
      await rateLimiter.consume('prefillHost', address, { id: site });
      // In the store that all processes share, first against the limit of the client.
      await countWithin(store, [
        limitOf(`client ${networkOf(address)}`, 'Your address', MAX_OF_CLIENT),
        limitOf('all', 'All clients together', MAX_OF_ALL),
      ]);
    };
    return readInLine({ site, address }, count, () => read(url, { origin }));
  };
}
