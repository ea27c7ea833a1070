import { hostOf, isWebAddress } from '@agent-registry/contracts';

/** The host of a website that may be asked: a name, not an address, on the usual port. */
export function toCheckedHost(website: string | null): string | undefined {
  if (website === null || !isWebAddress(website)) return undefined;
  const { port } = new URL(website);
  const host = hostOf(website);
  return port === '' && host?.includes('.') && !/^[\d.]+$/.test(host) ? host : undefined;
}
