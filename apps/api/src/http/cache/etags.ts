import { hash } from 'node:crypto';
import type { Encoding } from './compression.ts';

/** The strong ETag of a body: a hash of its bytes, so that processes agree on it and no other body ever has it. */
export function etagOf(body: Buffer): string {
  return hash('sha256', body, 'base64url').slice(0, 22);
}

/** The ETag header of a body in an encoding. */
export function toEtagHeader(etag: string, encoding: Encoding): string {
  return encoding === 'identity' ? `"${etag}"` : `"${etag}-${encoding}"`;
}

/** Whether an `If-Match` header names a body, in whatever encoding, or any body; weak ETags never match. */
export function holdsEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  const tags = header.split(',').filter((tag) => !/^\s*W\//.test(tag));
  return matchesEtag(tags.join(','), etag);
}

/** Whether an `If-None-Match` header names a body, in whatever encoding. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => {
    const [, name = ''] = /^\s*(?:W\/)?"(.*?)(?:-br|-gzip)?"\s*$/.exec(tag) ?? [];
    return name === etag;
  });
}
