// Command lines with the variables that are set before them.
import { maskWord, nameOfAssignment, REMOVED, show, type Cell } from './masked-text.ts';
import { readCommand } from './read-command.ts';
import { readJsonWord, type FoundAt } from './read-json.ts';
import { splitShell, toWordEdits, type ShellWord } from './shell-words.ts';

/** The name of a variable that a command sets: `export A=b`, `set A=b`, `$env:A = "b"`. */
function readSetting(words: readonly ShellWord[]): string | undefined {
  const [first, second] = words;
  if (!first) return undefined;
  const [, ofPowerShell] = /^\$env:(\w{1,100})(?:=|$)/i.exec(first.value) ?? [];
  if (ofPowerShell !== undefined) {
    show(first, first.value.includes('=') ? `$env:${ofPowerShell}=${REMOVED}` : first.value);
    if (second?.value === '=') show(second);
    return ofPowerShell;
  }
  const given = /^(?:export|set|setx)$/i.test(first.value) ? second : undefined;
  const name = nameOfAssignment(given?.value ?? '');
  if (name === undefined) return undefined;
  show(first);
  show(given, `${name}=${REMOVED}`);
  return name;
}

/** Splits the words at operators. */
function splitCommands(words: readonly ShellWord[]): ShellWord[][] {
  const commands: ShellWord[][] = [[]];
  for (const word of words) {
    if (word.isOperator) {
      show(word);
      commands.push([]);
    } else commands.at(-1)?.push(word);
  }
  return commands;
}

/** Shows of an unknown command its plain words, but for those behind an option. */
function maskUnknown(words: readonly ShellWord[]): void {
  for (const [index, word] of words.entries()) {
    if (!words[index - 1]?.value.startsWith('-')) show(word, maskWord(word.value));
  }
}

/** Reads the command line at a place of a text: what it says, where it ends, and the edits that remove its values. */
export function readShell(text: string, from: number, to?: number) {
  const { words, isOpen, end } = splitShell(text, from, to);
  const variables: string[] = [];
  let found: FoundAt[] | undefined;
  for (const command of splitCommands(words)) {
    const setting = readSetting(command);
    if (setting !== undefined) variables.push(setting);
    else {
      const read = found ? undefined : readCommand(command);
      if (read) found = read.json ? readJsonCell(read.json, from) : [{ ...read, at: from }];
      else maskUnknown(command);
    }
  }
  const withVariables = found?.map((each) => ({ ...each, variables: [...variables, ...(each.variables ?? [])] }));
  return { found: withVariables, variables, edits: toWordEdits(words, isOpen), end, isOpen };
}

function readJsonCell(cell: Cell, at: number): FoundAt[] {
  const { text, found } = readJsonWord(cell.value);
  show(cell, text);
  return found.map((each) => ({ ...each, at }));
}
