// What of a pasted text may be shown: a word is removed unless a rule shows it, so that an unknown form leaks no secret.
import { namesSecret } from '../connection-faults.ts';

/** Stands in a text for a value that was removed. */
export const REMOVED = '***';

/** Removes from an address the user, the fragment, and the values of parameters whose names say that they are secret. */
export function maskUrl(address: string): string {
  if (!isAddress(address)) return REMOVED;
  // The user and password of an address that cannot be read may have any sign.
  const user = URL.canParse(address) ? /^([^/]*\/\/)[^/?#]*@/ : /^([^/]*\/\/).*@/s;
  return address
    .replace(user, `$1${REMOVED}@`)
    .replace(/#.*$/s, `#${REMOVED}`)
    .replaceAll(/([?&][^=&?]*)=[^&#]*/g, (parameter, name: string) => {
      const decoded = new URLSearchParams(name.slice(1)).keys().next().value ?? '';
      return namesSecret(decoded) ? `${name}=${REMOVED}` : parameter;
    });
}

export function isAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]{0,20}:\/\//i.test(text);
}

/** A host and a path without a scheme, such as `example.com/mcp`. */
const BARE_ADDRESS = /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,24}(?::\d{1,5})?\/[^\s?#@]*$/;
export function isBareAddress(text: string): boolean {
  return text.length <= 2_048 && BARE_ADDRESS.test(text);
}

const PACKAGE =
  /^(?:@[a-z\d][\w.-]*\/)?[a-z][\w.-]*(?:@|==)[v^~<>=]*\d[\w.+-]*$|^@[a-z\d][\w.-]*\/[\w.-]+(?:@[a-z]{1,12})?$/i;

/** Whether a word is a package with its version or scope, or an image with a path and its tag; a user with a password is none. */
export function isPackageLike(word: string): boolean {
  return word.length <= 400 && (PACKAGE.test(word) || /^[a-z\d][a-z\d._-]*\/[a-z\d._/-]*:\w[\w.-]*$/.test(word));
}

/** Shows a package as it stands, but not the user in its address. */
export function maskPackage(text: string): string {
  if (isAddress(text)) return maskUrl(text);
  return /^[\w@/.:+~^<>=-]{1,400}$/.test(text) ? text : REMOVED;
}

/** Shows of the words of an unknown command those that are addresses, packages, options and plain words. */
export function maskWords(words: readonly string[]): string {
  return words.map((word, index) => (/^-[^=]*$/.test(words[index - 1] ?? '') ? REMOVED : maskWord(word))).join(' ');
}

function maskWord(word: string): string {
  const [, option, value = ''] = /^(--?[a-z][a-z-]{0,30}=)(.*)$/is.exec(word) ?? [];
  if (option !== undefined) return option + maskUrl(value);
  if (isAddress(word)) return maskUrl(word);
  const isPlain =
    /^\p{L}{1,16}[.,:;!?]?$/u.test(word) ||
    /^--?[a-z][a-z-]{0,30}$/i.test(word) ||
    (word.length <= 214 && (BARE_ADDRESS.test(word) || PACKAGE.test(word)));
  return isPlain ? word : REMOVED;
}

/** The name of `NAME=value`, if the name is one of a variable. */
export function nameOfAssignment(text: string): string | undefined {
  return /^([A-Za-z_]\w{0,99})=/.exec(text)?.[1];
}

/** The name of `Name: value`, if the name is one of a header. */
export function nameOfHeader(text: string): string | undefined {
  return /^([A-Za-z][\w-]{0,99})\s*:/.exec(text)?.[1];
}
