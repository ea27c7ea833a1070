import { isAddress, isPackageLike, maskPackage, maskUrl, nameOfAssignment, nameOfHeader } from './mask.ts';

const keepNothing = () => undefined;

/** What is kept of the value of an option, by what the value is; an option of `none` has no value. */
const kept = {
  variable: (value: string) => nameOfAssignment(value) ?? /^[A-Za-z_]\w{0,99}$/.exec(value)?.[0],
  header: nameOfHeader,
  bearer: () => 'Authorization',
  url: maskUrl,
  package: maskPackage,
  version: maskPackage,
  transport: maskPackage,
  source: maskPackage,
  other: keepNothing,
  none: keepNothing,
};
type Role = keyof typeof kept;

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

/** Reads options and at most `most` other words of a command. */
export function readOptions(all: readonly string[], flags: Flags, most = Infinity, given: Given = {}) {
  const words: string[] = [];
  const take = (role: Role | undefined, value: string) => {
    const shown = role && kept[role](value);
    if (role && shown !== undefined) (given[role === 'bearer' ? 'header' : role] ??= []).push(shown);
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
