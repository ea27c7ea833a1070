/**
 * The canonical host of a web address: in lower case and ASCII, without the dot that may stand at its end. Undefined for a
 * text that is no address, which an agent of another version may have.
 * @example hostOf('https://Dot.example./x') // 'dot.example'
 */
export function hostOf(address: string): string | undefined {
  return URL.parse(address)?.hostname.replace(/\.$/, '');
}

// `URL` writes every form of an IPv4 address as four decimal numbers and an IPv6 address in its shortest form.
const LOOPBACK_HOST = /^(?:(?:.+\.)?localhost\.?|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f..:.+|0:0)\])$/;

/** Whether a text is an http or https address without a user name. */
export function isWebAddress(value: string): boolean {
  // URL parsers differ in how they repair blanks, and escapes in the host name.
  if (/[\s\p{Cc}]/u.test(value) || !value.isWellFormed() || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  if (hostname.includes('%')) return false;
  return /^https?:$/.test(protocol) && username === '' && password === '' && /^https?:\/\//i.test(value);
}

/** Whether the host of a web address is the machine of each visitor. */
export function isLoopback(address: string): boolean {
  return LOOPBACK_HOST.test(new URL(address).hostname);
}

/**
 * Whether the URL parser reads the host as it is written, apart from letter case and the ASCII form of international names.
 * Programs differ in how they read other spellings, such as backslashes, full-width letters and numbers.
 */
export function keepsHost(address: string): boolean {
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(address) ?? [];
  const written = authority.replace(/:\d*$/, '').toLowerCase();
  // An IPv6 address has several spellings.
  if (written.startsWith('[')) return true;
  const read = new URL(address).hostname.split('.');
  const labels = written.split('.');
  return labels.length === read.length && labels.every((label, index) => keepsLabel(label, read[index] ?? ''));
}

function keepsLabel(written: string, read: string): boolean {
  if (written === read) return true;
  const isMapped = written !== written.normalize('NFKC') || /\p{Default_Ignorable_Code_Point}/u.test(written);
  return read.startsWith('xn--') && /[^\0-\x7F]/.test(written) && !isMapped;
}

/** Adds `https://` to an address that starts with a host name, such as `example.com/agent`. */
export function addScheme(website: string): string {
  const startsWithHost = /^[^\s:/?#@.]+\.[^\s:/?#@]+(?=[:/?#]|$)/;
  return startsWithHost.test(website.trim()) ? `https://${website.trim()}` : website;
}
