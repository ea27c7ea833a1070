import { isIPv4, isIPv6 } from 'node:net';

/** The rate limit keys of a call: its client, and the network that the client shares with others. */
export type ClientKeys = {
  /**
   * An IPv4 address, or the /64 of an IPv6 address: the smallest network that one client is given. Empty if unknown.
   */
  client: string;
  /** The /48 of an IPv6 address, which a single customer can hold; undefined for other addresses. */
  network: string | undefined;
};

/**
 * Reads the rate limit keys of an address, with or without a port. IPv4 addresses mapped into IPv6 count as IPv4. All
 * texts that are not an address share one client, as does a connection that has closed and has no address any more.
 */
export function clientKeys(address: string | undefined): ClientKeys {
  const withoutPort = /^\[(.*)\](?::\d+)?$/.exec(address ?? '') ?? /^([\d.]+):\d+$/.exec(address ?? '');
  const [bare = ''] = (withoutPort?.[1] ?? address ?? '').toLowerCase().split('%');
  if (!isIPv6(bare)) return { client: isIPv4(bare) ? bare : '', network: undefined };
  const groups = toGroups(bare);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return { client: toIPv4(groups.slice(6)), network: undefined };
  return { client: `${groups.slice(0, 4).join(':')}::/64`, network: `${groups.slice(0, 3).join(':')}::/48` };
}

function toIPv4(groups: readonly string[]): string {
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}

/** The eight groups of an IPv6 address, in lower case without leading zeros. */
function toGroups(address: string): string[] {
  // URL normalizes an IPv6 address and compresses at most one run of zeros.
  const spelling = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = spelling.split('::').map((part) => (part === '' ? [] : part.split(':')));
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
