import { isIP } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';

/** Names of ranges of addresses that are not those of the Internet. */
const RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Which proxies may say what the address of a client is: so many, or those with these addresses; undefined for none. */
export type TrustProxy = number | string[] | undefined;

/**
 * Reads a setting: a number of proxies, or a list of addresses, networks such as 10.0.0.0/8, and names of ranges.
 * @throws {TypeError} for an entry that is none of these.
 */
export function readTrustProxy(setting: string): TrustProxy {
  if (/^\d+$/.test(setting)) return Number(setting) || undefined;
  const entries = setting.split(',').map((entry) => entry.trim());
  if (!entries.every((entry) => RANGES.has(entry) || isNetwork(entry))) throw new TypeError(setting);
  return entries;
}

/** Whether an address is a trusted proxy's; `hop` counts those that were passed, from the nearest on. */
export type IsTrusted = (address: string, hop: number) => boolean;

/** The same as Fastify takes it, which has no number of proxies since it cannot tell whether one was passed. */
export function toTrustFunction(trust: TrustProxy): IsTrusted {
  if (typeof trust === 'number') return (_address, hop) => hop < trust;
  return trust ? proxyAddress.compile(trust) : () => false;
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128))
  );
}
