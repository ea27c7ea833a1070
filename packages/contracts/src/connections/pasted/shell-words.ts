// Words of a command line, as the shells of POSIX, PowerShell and the Windows command prompt split them.

/** A blank or a line break that continues the command, a quoted text, an escaped sign, or an operator; else any character. */
const PART =
  /(?<blank>[\\^`]\r?\n|\s)|'(?<single>[^']*)(?<close>'?)|"(?<double>(?:[\\`]["\\`$]|[\\`](?!["\\`$])|[^"\\`])*)(?<end>"?)|(?:\\(?=[^\w\s])|\^(?=["&|<>^])|`(?=\S))(?<escaped>.)|(?<operator>[;&|])|./suy;

/**
 * Splits a command line into the words of its commands. It begins at `from` and ends with the line or, with a quote or a
 * sign that continues it, with a later one. `isOpen` says that a quote is not closed.
 */
export function splitShell(text: string, from = 0) {
  const commands: string[][] = [[]];
  let [at, isOpen] = [from, false];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (; at < text.length && text[at] !== '\n'; at = PART.lastIndex) {
    PART.lastIndex = at;
    const match = PART.exec(text);
    const { blank, single, close, double, end, escaped, operator } = match?.groups ?? {};
    // An address may have operators unquoted.
    const isOperator = operator !== undefined && !word?.includes('://');
    if (isOperator || blank !== undefined) endWord();
    else word = (word ?? '') + (single ?? double?.replaceAll(/[\\`](["\\`$])/g, '$1') ?? escaped ?? match?.[0]);
    if (isOperator) commands.push([]);
    isOpen = close === '' || end === '';
  }
  endWord();
  return { commands: commands.filter(({ length }) => length > 0), isOpen, end: at };
}
