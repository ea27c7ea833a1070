import { isIPv4, isIPv6 } from 'node:net';

/**
 * Whom calls from an address count for: the address itself, also where it is an IPv4 address within IPv6; of another IPv6
 * address its network of 64 bits, which is what one client is given. Some proxies add the port, which does not count. All that
 * is no address counts for one, as a connection that has just been closed, which has none.
 */
export function clientKey(address: string | undefined): string {
  const withoutPort = /^\[(.*)\](?::\d+)?$/.exec(address ?? '') ?? /^([\d.]+):\d+$/.exec(address ?? '');
  const [bare = ''] = (withoutPort?.[1] ?? address ?? '').toLowerCase().split('%');
  if (!isIPv6(bare)) return isIPv4(bare) ? bare : '';
  const groups = toGroups(bare);
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return `${groups.slice(0, 4).join(':')}::/64`;
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
}

/** The eight groups of an IPv6 address, in lower case without leading zeros. */
function toGroups(address: string): string[] {
  // A URL has one spelling for each address, in which at most one run of zeros is left out.
  const spelling = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = spelling.split('::').map((part) => (part === '' ? [] : part.split(':')));
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
