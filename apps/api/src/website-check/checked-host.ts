import { hostOf, isWebAddress } from '@agent-registry/contracts';

/** The host of a website that may be asked: a name, not an address, that is listed with https on its usual port. */
export function toCheckedHost(website: string | null): string | undefined {
  if (website === null || !isWebAddress(website)) return undefined;
  const { protocol, port } = new URL(website);
  const host = hostOf(website);
  return protocol === 'https:' && port === '' && host?.includes('.') && !/^[\d.]+$/.test(host) ? host : undefined;
}
