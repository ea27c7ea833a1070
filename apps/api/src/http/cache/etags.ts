import type { Encoding } from './compression.ts';
import type { Version } from './version.ts';

/** Strong ETags of the answers that hold for a version, in each coding. */
export type Etags = Readonly<Record<Encoding, string>>;

/** Of how many versions the ETags are kept: pages and statistics have others than lists, files have one for ever. */
const MAX_KEPT = 8;

/**
 * Makes ETags of versions.
 * @param build what build of the software answers, with what settings: another may answer otherwise
 */
export function createEtags(build: string): (version: Version) => Etags {
  const kept = new Map<Version, Etags>();
  return (version) => {
    let etags = kept.get(version);
    if (!etags) {
      const text = `${version.toString(36)}.${build}`;
      etags = { identity: `"${text}"`, br: `"${text}-br"`, gzip: `"${text}-gzip"` };
      if (kept.size === MAX_KEPT) kept.clear();
      kept.set(version, etags);
    }
    return etags;
  };
}

/** That one of a list, as `If-None-Match` gives it, which is among some, in whatever coding. */
export function findEtag(list: string, { identity, br, gzip }: Etags): string | undefined {
  if (list.includes(identity)) return identity;
  return [br, gzip].find((etag) => list.includes(etag));
}
