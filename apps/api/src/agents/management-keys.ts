import { hash, timingSafeEqual } from 'node:crypto';

/** The hash of a management key, as it is stored. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** The hash that keys are compared with where an agent has none; it is the hash of no text that is known. */
const NO_HASH = '0'.repeat(64);

/** Whether a key has a stored hash. The work is the same for every key, also if there is no key or no hash. */
export function isKeyOf(key: string | undefined, keyHash: string | undefined): boolean {
  const isEqual = timingSafeEqual(Buffer.from(hashKey(key ?? '')), Buffer.from(keyHash ?? NO_HASH));
  return isEqual && key !== undefined && keyHash !== undefined;
}
