// Words of a command line, as the shells of POSIX, PowerShell and the Windows command prompt split them.

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

/** The length of a line break with the sign before it that continues the command; 0 if there is none. */
function readContinuation(text: string, at: number): number {
  return /^[\\^`]\r?\n/.exec(text.slice(at, at + 3))?.[0].length ?? 0;
}

/**
 * Splits a command line into the words of its commands. It begins at `from` and ends with the line or, with a quote or a
 * sign that continues it, with a later one. `isOpen` says that a quote is not closed.
 */
export function splitShell(text: string, from = 0, to = text.length) {
  const commands: string[][] = [[]];
  let quote: Quote = '';
  let word: string | undefined;
  const end = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  let at = from;
  while (at < to) {
    const character = text.charAt(at);
    if (quote === '' && character === '\n') break;
    const continued = quote === '' ? readContinuation(text, at) : 0;
    const escape = readCharacter(text, at, quote);
    // An address may have operators unquoted.
    const isOperator = quote === '' && !escape && /[;&|]/.test(character) && !word?.includes('://');
    if (continued > 0 || isOperator || (quote === '' && /\s/.test(character))) {
      end();
      if (isOperator) commands.push([]);
    } else if (escape) word = (word ?? '') + escape.added;
    else if (character === quote || (quote === '' && /["']/.test(character))) {
      word ??= '';
      quote = quote === '' ? (character as Quote) : '';
    } else word = (word ?? '') + character;
    at += continued || escape?.taken || 1;
  }
  end();
  return { commands: commands.filter(({ length }) => length > 0), isOpen: quote !== '', end: Math.min(at, to) };
}
