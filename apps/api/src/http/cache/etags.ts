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

/** Whether an `If-Match` header allows a response with this body. */
export function allowsEtag(header: string | undefined, etag: string): boolean {
  return readIfMatch(header)?.includes(etag) ?? true;
}

/** Reads the bodies that an `If-None-Match` header names, in whatever encoding: `*` for any; undefined for no header. */
export function readIfNoneMatch(header: string | undefined): string[] | '*' | undefined {
  if (header === undefined) return undefined;
  return header.trim() === '*' ? '*' : readEtags(header).map(({ etag }) => etag);
}

/** Whether an `If-None-Match` header names a body, in whatever encoding, or any body. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  const named = readIfNoneMatch(header);
  return named === '*' || (named?.includes(etag) ?? false);
}

/** Reads a list of ETags (RFC 9110, 8.8.3) without their encodings. */
function readEtags(header: string): { etag: string; isWeak: boolean }[] {
  // Of a fixed length, since a hash may itself end like an encoding.
  return [...header.matchAll(/(W\/)?"([\w-]{22})(?:-br|-gzip)?"/g)].map(([, weak, etag = '']) => ({
    etag,
    isWeak: weak !== undefined,
  }));
}
