/** The request header with the management key that an agent gets. */
export const MANAGEMENT_KEY_HEADER = 'Management-Key';

/** The fewest different characters of a management key; a random one has 17 or more. */
const MIN_DIFFERENT = 10;

/** Whether a text can be a management key: 43 base64url characters, ten of them different. */
export function isManagementKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text) && new Set(text).size >= MIN_DIFFERENT;
}

/** Creates a random management key of 256 bits. */
export function createManagementKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '');
}
