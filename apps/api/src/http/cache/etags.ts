import type { Encoding } from './compression.ts';

/** The ETag header of a body in an encoding. */
export function toEtagHeader(etag: string, encoding: Encoding = 'identity'): string {
  return encoding === 'identity' ? `"${etag}"` : `"${etag}-${encoding}"`;
}

/**
 * Reads the bodies that an `If-Match` header names, in whatever encoding; weak ETags are left out, since they never
 * match. Undefined for no header and for `*`: any body.
 */
export function readIfMatch(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return readEtags(header).flatMap(({ etag, isWeak }) => (isWeak ? [] : [etag]));
}

/** Whether an `If-None-Match` header names a body, in whatever encoding, or any body. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || readEtags(header).some((read) => read.etag === etag);
}

/** Reads a list of ETags (RFC 9110, 8.8.3) without their encodings. */
function readEtags(header: string): { etag: string; isWeak: boolean }[] {
  // Of a fixed length, since a hash may itself end like an encoding.
  return [...header.matchAll(/(W\/)?"([\w-]{22})(?:-br|-gzip)?"/g)].map(([, weak, etag = '']) => ({
    etag,
    isWeak: weak !== undefined,
  }));
}
