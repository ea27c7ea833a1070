import { hash } from 'node:crypto';

/** The strong ETag of a body: a hash of its bytes, so that processes agree on it and no other body ever has it. */
export function etagOf(body: Buffer | string): string {
  return hash('sha256', body, 'base64url').slice(0, 22);
}

/** The tag of responses that show a list. Those of agents are their ids. */
export const LIST_TAG = 'list';
/** The most tags of a response, so that its headers fit into the 4 KiB that nginx takes by default. */
export const MAX_TAGS = 20;

/** The headers by which caches purge: as Cloudflare, Akamai and others read them, and as Fastly and Varnish do. */
export function toTagHeaders(tags: readonly string[]): Record<string, string> {
  return tags.length === 0 ? {} : { 'cache-tag': tags.join(','), 'surrogate-key': tags.join(' ') };
}
