import proxyAddress from '@fastify/proxy-addr';
import type { TrustProxy } from '../../config.ts';

/** Whether a proxy is trusted. `hop` is its distance in proxies, starting at 0. */
export type IsTrusted = (address: string, hop: number) => boolean;

/** Converts the setting to a function, as Fastify's `trustProxy` accepts it. */
export function toTrustFunction(trust: TrustProxy): IsTrusted {
  if (typeof trust === 'number') return (_address, hop) => hop < trust;
  return trust ? proxyAddress.compile(trust) : () => false;
}

const isPrivate = proxyAddress.compile(['loopback', 'linklocal', 'uniquelocal']);

/** Whether many clients may connect from an address: that of a trusted proxy, or a private one, which operators may not name. */
export function mayBeProxy(address: string, isTrusted: IsTrusted): boolean {
  return isPrivate(address, 0) || isTrusted(address, 0);
}
