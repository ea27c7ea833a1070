import { hash } from 'node:crypto';

/** The strong ETag of a body: a hash of its bytes, so that processes agree on it and no other body ever has it. */
export function etagOf(body: Buffer | string): string {
  return hash('sha256', body, 'base64url').slice(0, 22);
}
