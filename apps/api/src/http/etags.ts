import type { Encoding } from './encodings.ts';

/** What answers hold for: as long as it is the same, an answer is. */
export type Version = number | string;

/** Strong ETags of answers, made of the version that they hold for. */
export type Etags = {
  /** That of an answer in a coding. */
  make(version: Version, encoding: Encoding): string;
  /** That one of a list, as `If-None-Match` gives it, which stands for a version, in whatever coding. */
  find(list: string, version: Version): string | undefined;
};

/** @param build what build of the software answers, with what settings: another may answer otherwise */
export function createEtags(build: string): Etags {
  const make = (version: Version, encoding: Encoding) =>
    `"${version.toString(36)}.${build}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  return {
    make,
    find: (list, version) =>
      (['identity', 'br', 'gzip'] as const)
        .map((encoding) => make(version, encoding))
        .find((etag) => list.includes(etag)),
  };
}
