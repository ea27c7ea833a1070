import {
  isAddress,
  isPackageLike,
  maskUrl,
  maskWord,
  nameOfAssignment,
  nameOfHeader,
  REMOVED,
  show,
  type Cell,
} from './masked-text.ts';

/** What the value of an option is; `none` for an option without one. */
export type Role =
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
function splitOption(word: string, flags: Flags): { flag: string; sign: string; attached?: string } | undefined {
  const [, flag = '', sign = '', attached] = /^(--?[A-Za-z][\w-]{0,60})(=)?(.*)$/s.exec(word) ?? [];
  if (flag === '') return undefined;
  const short = word.slice(0, 2);
  const isAttached = Object.hasOwn(flags, short) && word.length > 2 && !Object.hasOwn(flags, flag);
  if (isAttached) return { flag: short, sign: '', attached: word.slice(2) };
  if (sign === '=') return { flag, sign, attached: attached ?? '' };
  return attached === '' ? { flag, sign: '' } : undefined;
}

/** What is shown of the value of an option. */
function maskValue(role: Role | undefined, value: string): string {
  switch (role) {
    case 'variable':
      return maskVariable(value);
    case 'header': {
      const name = nameOfHeader(value);
      return name === undefined ? REMOVED : `${name}: ${REMOVED}`;
    }
    case 'url':
      return isAddress(value) ? maskUrl(value) : REMOVED;
    case 'package':
    case 'version':
      return maskPackage(value);
    case 'bearer':
      return /^[A-Za-z_]\w{0,99}$/.test(value) ? value : REMOVED;
    case 'transport':
    case 'source':
      return maskWord(value);
    default:
      return REMOVED;
  }
}

function maskVariable(value: string): string {
  const name = nameOfAssignment(value);
  if (name !== undefined) return `${name}=${REMOVED}`;
  return /^[A-Za-z_]\w{0,99}$/.test(value) ? value : REMOVED;
}

/** Whether an option takes the next word. After an unknown one, a word that may be a secret is taken as its value. */
function takesNext(role: Role | undefined, next: string | undefined): boolean {
  if (role === 'none' || next === undefined) return false;
  return role !== undefined || !(next.startsWith('-') || isAddress(next) || isPackageLike(next));
}

/** Shows a package as it stands, but not the user in its address. */
export function maskPackage(text: string): string {
  if (isAddress(text)) return maskUrl(text);
  return /^[\w@/.:+~^<>=-]{1,400}$/.test(text) ? text : REMOVED;
}

/** The name that the value of an option gives, or the value. */
function toName(role: Role, shown: string): string | undefined {
  if (role === 'variable') return nameOfAssignment(shown) ?? (shown === REMOVED ? undefined : shown);
  if (role === 'header') return nameOfHeader(shown);
  return role === 'bearer' ? 'Authorization' : shown;
}

/**
 * Reads options and at most `most` other words of a command. Cells of options show the option and the name of its value;
 * other words are left for the caller to show.
 */
export function readOptions(cells: readonly Cell[], flags: Flags, most = Infinity, given: Given = {}) {
  const words: Cell[] = [];
  const take = (role: Role, shown: string) => {
    const name = toName(role, shown);
    if (name !== undefined) (given[role === 'bearer' ? 'header' : role] ??= []).push(name);
  };
  let at = 0;
  let last: Role | undefined;
  for (; at < cells.length && words.length < most; at++) {
    const cell = cells[at] as Cell;
    if (cell.value === '--') {
      show(cell);
      return { words, given, rest: cells.slice(at + 1), isEnded: true };
    }
    const option = splitOption(cell.value, flags);
    if (!option) {
      // Some clients take several assignments after one option.
      if (last === 'variable' && nameOfAssignment(cell.value) !== undefined) {
        show(cell, maskVariable(cell.value));
        take('variable', cell.shown as string);
      } else words.push(cell);
      continue;
    }
    const role = Object.hasOwn(flags, option.flag) ? flags[option.flag] : undefined;
    const value = takesNext(role, cells[at + 1]?.value) ? cells[at + 1] : undefined;
    last = role;
    if (option.attached !== undefined) {
      const shown = maskValue(role, option.attached);
      show(cell, `${option.flag}${option.sign}${shown}`);
      if (role) take(role, shown);
      continue;
    }
    show(cell);
    if (!value) continue;
    at++;
    show(value, maskValue(role, value.value));
    if (role) take(role, value.shown as string);
  }
  return { words, given, rest: cells.slice(at), isEnded: false };
}

/** Shows of arguments that nothing reads only the names of options. */
export function hideArguments(cells: readonly Cell[]): void {
  for (const cell of cells) {
    const option = splitOption(cell.value, {});
    if (option) show(cell, option.sign === '' ? option.flag : `${option.flag}=${REMOVED}`);
  }
}
