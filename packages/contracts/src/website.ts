/**
 * The canonical host of a web address: in lower case and ASCII, without the dot that may stand at its end. Undefined for a
 * text that is no address, which an agent of another version may have.
 * @example hostOf('https://Dot.example./x') // 'dot.example'
 */
export function hostOf(address: string): string | undefined {
  return URL.parse(address)?.hostname.replace(/\.$/, '');
}
