// Words of a command line, as the shells of POSIX, PowerShell and the Windows command prompt split them.
import { applyEdits, REMOVED, type Cell } from './masked-text.ts';

/** A word, or an operator between commands. */
export type ShellWord = Cell & { isOperator?: boolean };

type Quote = '' | '"' | "'";

/** How a character inside or outside of quotes is read: what it adds to the word, and how many characters it takes. */
function readCharacter(text: string, at: number, quote: Quote): { added: string; taken: number } | undefined {
  const [character, next] = [text.charAt(at), text.charAt(at + 1)];
  if (quote === "'") return undefined;
  if (quote === '"') return /[\\`]/.test(character) && /["\\`$]/.test(next) ? { added: next, taken: 2 } : undefined;
  // A backslash before a letter is a part of a path of Windows.
  const isEscape =
    (character === '\\' && /[^\w\s]/.test(next)) ||
    (character === '^' && /["&|<>^]/.test(next)) ||
    (character === '`' && /\S/.test(next));
  return isEscape ? { added: next, taken: 2 } : undefined;
}

/** The length of the operator between two commands at a place outside of quotes; 0 if there is none. */
function readOperator(text: string, at: number, word: string): number {
  // An address may have them unquoted.
  if (!/[;&|]/.test(text.charAt(at)) || word.includes('://')) return 0;
  return text.charAt(at + 1) === text.charAt(at) ? 2 : 1;
}

/** The length of a line break with the sign before it that continues the command; 0 if there is none. */
function readContinuation(text: string, at: number): number {
  if (!/[\\^`]/.test(text.charAt(at))) return 0;
  if (text.charAt(at + 1) === '\n') return 2;
  return text.startsWith('\r\n', at + 1) ? 3 : 0;
}

/**
 * Splits a command line, which begins at `from` and ends with the line or, with a quote or a sign that continues it, with a later one.
 * `isOpen` says that a quote is not closed.
 */
export function splitShell(text: string, from = 0, to = text.length) {
  const words: ShellWord[] = [];
  let quote: Quote = '';
  let start = -1;
  let value = '';
  const end = (at: number) => {
    if (start >= 0) words.push({ value, start, end: at });
    [start, value] = [-1, ''];
  };
  let at = from;
  while (at < to) {
    const character = text.charAt(at);
    if (quote === '' && character === '\n') break;
    const continued = quote === '' ? readContinuation(text, at) : 0;
    const operator = quote === '' ? readOperator(text, at, value) : 0;
    const escape = readCharacter(text, at, quote);
    let taken = escape?.taken ?? 1;
    if (continued > 0 || (quote === '' && /\s/.test(character))) {
      end(at);
      taken = continued || 1;
    } else if (operator > 0) {
      end(at);
      words.push({ value: text.slice(at, at + operator), start: at, end: at + operator, isOperator: true });
      taken = operator;
    } else {
      if (start < 0) start = at;
      if (escape) value += escape.added;
      else if (character === quote) quote = '';
      else if (quote === '' && (character === '"' || character === "'")) quote = character;
      else value += character;
    }
    at += taken;
  }
  at = Math.min(at, to);
  end(at);
  return { words, isOpen: quote !== '', end: at };
}

/** Writes a word as `splitShell` reads it. */
function quoteWord(value: string): string {
  if (/^[\w@%+=:,./*~-]+$/.test(value)) return value;
  if (value.includes('"') && !value.includes("'")) return `'${value}'`;
  return `"${value.replaceAll(/["\\`$]/g, String.raw`\$&`)}"`;
}

/** The edits that leave of a command line what its words show; an open quote stays open. */
export function toWordEdits(words: readonly ShellWord[], isOpen: boolean) {
  return words.flatMap(({ value, shown, start, end }, index) => {
    if (isOpen && index === words.length - 1) return [{ start, end, text: `"${REMOVED}` }];
    return shown === value ? [] : [{ start, end, text: quoteWord(shown ?? REMOVED) }];
  });
}

/** A command line with what its words show. */
export function rewriteShell(text: string, words: readonly ShellWord[], isOpen: boolean): string {
  return applyEdits(text, toWordEdits(words, isOpen));
}
