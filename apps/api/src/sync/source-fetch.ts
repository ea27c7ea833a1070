import { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from '../website-check/guarded-fetch.ts';
import type { Source } from './read-sources.ts';

/**
 * The fetch for the pages of a source: one that the operator allows may be on another port and on a private address. Other
 * pages than its own are never asked for, also by no redirect.
 */
export function toSourceFetch(
  { address, allow }: Pick<Source, 'address' | 'allow'>,
  fetch: GuardedFetch,
  options: GuardedFetchOptions = {},
): GuardedFetch {
  const { hostname, port } = new URL(address);
  if (!allow.includes(`${hostname}:${port || 443}`)) return fetch;
  const fetchAllowed = createGuardedFetch({ port: Number(port || 443), ...options, allowsPrivate: true });
  return (url, request) => fetchAllowed(url, { ...request, redirect: 'return' });
}
