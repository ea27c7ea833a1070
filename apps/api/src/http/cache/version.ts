/** What answers hold for: as long as it is the same, an answer is. */
export type Version = number | string;

/** Reads the present version, at once where that takes but microseconds. */
export type ReadVersion = () => Version | Promise<Version>;

/**
 * Goes on with the present version, at once where that can be read at once; without one where it cannot be read, since
 * whoever makes the answer finds out for itself, and says so.
 */
export function withVersion(readVersion: ReadVersion, use: (version: Version | undefined) => void): void {
  let version: Version | Promise<Version> | undefined;
  try {
    version = readVersion();
  } catch {
    version = undefined;
  }
  if (typeof version === 'object') version.then(use, () => use(undefined));
  else use(version);
}
