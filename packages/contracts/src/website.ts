/**
 * The canonical host of a web address: in lower case and ASCII, without the dot that may stand at its end.
 * @throws {TypeError} if it is no address
 * @example hostOf('https://Dot.example./x') // 'dot.example'
 */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/\.$/, '');
}
