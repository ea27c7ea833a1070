import { networkOf, type RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { countWithin } from '../website-check/count-check.ts';
import { createHostLines } from '../website-check/host-lines.ts';
import { toSite } from '../hosts.ts';
import type { Found, ReadDescriptions } from './read-descriptions.ts';

/** Readings that one client may ask for within an hour: a tenth of those of all clients. */
const MAX_OF_CLIENT = 60;
/** Readings of all clients together within an hour. */
const MAX_OF_ALL = 600;
const HOUR = 3_600_000;

/** A client that has the descriptions of a host read. */
export type Reader = {
  /** Where visitors reach the registry. */
  origin: string;
  /** The IP address of the client. */
  address: string;
};

/**
 * Reads the descriptions of the host of an address when the turn of the client comes.
 * @throws {RegistryError} `too-many` beyond a limit
 */
export type ReadInTurn = (url: string, reader: Reader) => Promise<Found>;

/**
 * Creates the readings of all clients: each host is read once at a time while few clients wait, so that the registry
 * floods no website. The lines are not those of website checks, whose places owners need.
 */
export function createReadInTurn(
  read: ReadDescriptions,
  rateLimiter: Pick<RateLimiter, 'consume'>,
  rateLimitStore: RateLimitStore,
): ReadInTurn {
  const readInLine = createHostLines('readings');

  return async (url, { origin, address }) => {
    const site = toSite(url);
    const count = async () => {
      await rateLimiter.consume('prefillHost', address, { id: site });
      await countReading(address);
    };
    return readInLine({ site, address }, count, () => read(url, { origin }));
  };

  /** Counts a reading in the store that all processes share, first against the limit of its client. */
  function countReading(address: string): Promise<void> {
    return countWithin(rateLimitStore, [
      {
        key: `website-reading client ${networkOf(address)}`,
        limit: MAX_OF_CLIENT,
        window: HOUR,
        counted: `Your address asked for ${MAX_OF_CLIENT} readings of websites within an hour`,
      },
      {
        key: 'website-reading all',
        limit: MAX_OF_ALL,
        window: HOUR,
        counted: `All clients together asked for ${MAX_OF_ALL} readings of websites within an hour`,
      },
    ]);
  }
}
