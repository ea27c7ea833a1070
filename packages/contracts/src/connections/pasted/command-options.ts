import { isAddress, isPackageLike, maskPackage, maskUrl, nameOfAssignment, nameOfHeader, REMOVED } from './mask.ts';

/** What the value of an option is; `none` for an option without one. */
type Role =
  | 'variable'
  | 'header'
  | 'package'
  | 'version'
  | 'url'
  | 'transport'
  | 'source'
  | 'bearer'
  | 'other'
  | 'none';

/** The options of a command, each with its dashes. */
export type Flags = Readonly<Record<string, Role>>;

/** What a command says: the values of its options by role, of headers and variables only the names. */
export type Given = Partial<Record<Role, string[]>>;

/** Makes a table of options from texts such as `-e --env`. */
export function flagsOf(byRole: Partial<Record<Role, string>>): Flags {
  return Object.fromEntries(
    Object.entries(byRole).flatMap(([role, names]) => names.split(' ').map((name) => [name, role as Role])),
  );
}

/** Splits an option from a value that is attached to it; undefined for a word that is no option. */
function splitOption(word: string, flags: Flags): { flag: string; attached?: string } | undefined {
  const [, flag = '', sign, attached = ''] = /^(--?[A-Za-z][\w-]{0,60})(=)?(.*)$/s.exec(word) ?? [];
  const short = word.slice(0, 2);
  if (flag !== '' && Object.hasOwn(flags, short) && word.length > 2 && !Object.hasOwn(flags, flag))
    return { flag: short, attached: word.slice(2) };
  if (flag !== '' && sign !== undefined) return { flag, attached };
  return flag !== '' && attached === '' ? { flag } : undefined;
}

/** Whether an option takes the next word. After an unknown one, a word that may be a secret is taken as its value. */
function takesNext(role: Role | undefined, next: string | undefined): next is string {
  if (role === 'none' || next === undefined) return false;
  return role !== undefined || !(next.startsWith('-') || isAddress(next) || isPackageLike(next));
}

/** What is kept of the value of an option. */
function toKept(role: Role, value: string): string | undefined {
  switch (role) {
    case 'variable':
      return nameOfAssignment(value) ?? /^[A-Za-z_]\w{0,99}$/.exec(value)?.[0];
    case 'header':
      return nameOfHeader(value);
    case 'url':
      return isAddress(value) ? maskUrl(value) : REMOVED;
    case 'bearer':
      return 'Authorization';
    case 'other':
    case 'none':
      return undefined;
    default:
      return maskPackage(value);
  }
}

/** Reads options and at most `most` other words of a command. */
export function readOptions(all: readonly string[], flags: Flags, most = Infinity, given: Given = {}) {
  const words: string[] = [];
  const take = (role: Role | undefined, value: string) => {
    const kept = role && toKept(role, value);
    if (role && kept !== undefined) (given[role === 'bearer' ? 'header' : role] ??= []).push(kept);
  };
  let at = 0;
  let last: Role | undefined;
  for (; at < all.length && words.length < most; at++) {
    const word = all[at] as string;
    if (word === '--') return { words, given, rest: all.slice(at + 1), isEnded: true };
    const option = splitOption(word, flags);
    const next = all[at + 1];
    // Some clients take several assignments after one option.
    if (!option && last === 'variable' && nameOfAssignment(word) !== undefined) take('variable', word);
    else if (!option) words.push(word);
    else {
      const role = Object.hasOwn(flags, option.flag) ? flags[option.flag] : undefined;
      last = role;
      if (option.attached !== undefined) take(role, option.attached);
      else if (takesNext(role, next)) {
        take(role, next);
        at++;
      }
    }
  }
  return { words, given, rest: all.slice(at), isEnded: false };
}
