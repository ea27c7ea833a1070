/** The modes of TLS that the driver takes for `verify-full`, with a warning that its next major version will not. */
const MODE = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/**
 * The URL of a database with the mode of TLS that applies: `prefer`, `require` and `verify-ca` mean `verify-full`, now and
 * with every version of the driver. A URL with `uselibpqcompat`, which asks for the weaker meanings, stays as it is.
 */
export function withStrictTls(url: string): string {
  return /[?&]uselibpqcompat=/.test(url) ? url : url.replace(MODE, 'verify-full');
}
