import { findSharedHost, hostOf, isWebAddress, normalizeEscapes } from '@agent-registry/contracts';
import { getDomain } from 'tldts';

/**
 * The site of a web address, which counts as one host for limits: the registrable domain by the Public Suffix List with its
 * private section; on a shared host one account.
 * @throws {TypeError} if it is no address
 * @example toSite('https://api.example.co.uk/x') // 'example.co.uk', and 'github.com/someone' of 'https://github.com/Someone/x'
 */
export function toSite(address: string): string {
  const { hostname, pathname } = new URL(address);
  const host = hostname.replace(/\.$/, '');
  const shared = findSharedHost(host);
  if (shared === undefined) return getDomain(host, { allowPrivateDomains: true }) ?? host;
  const [, account = ''] = normalizeEscapes(pathname).split('/', 2);
  return account === '' ? shared : `${shared}/${account.toLowerCase()}`;
}

/** The site of an address whose requests of ours count together: its registrable domain, or the whole of a shared host. */
export function toAskedSite(address: string): string {
  const { hostname } = new URL(address);
  return findSharedHost(hostname) === undefined ? toSite(address) : hostname.replace(/\.$/, '');
}

/** The host of a website that may be asked: a name, not an address, that is listed with https on its usual port. */
export function toCheckedHost(website: string | null): string | undefined {
  if (website === null || !isWebAddress(website)) return undefined;
  const { protocol, port } = new URL(website);
  const host = hostOf(website);
  return protocol === 'https:' && port === '' && host?.includes('.') && !/^[\d.]+$/.test(host) ? host : undefined;
}
