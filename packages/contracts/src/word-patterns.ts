import { countCharacters } from './characters.ts';
import { MAX_SEARCH_LENGTH, MIN_SUGGEST_LENGTH } from './request-limits.ts';

/** Folded stop words. They count in a search only if it has no other words. */
export const functionWords: ReadonlySet<string> = new Set(
  'a an and are as at be by can for from i in into is it its my of on or that the this to with you your'.split(' '),
);

/** Scripts without spaces between words, as the content of a character class. */
export const UNSPACED_SCRIPTS = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー`;

/** Source of a regular expression for a word. + and # belong to the word before them (C++, C#), but not between two words (text+image). */
export const WORD_PATTERN = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:\+\+|[+#](?![\p{L}\p{N}]))?`;

/** Source of a regular expression for borders within a word: in text2Code, HTMLCode, at digits, at text without blanks. */
export const WORD_BORDER_PATTERN = [
  String.raw`(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})`,
  String.raw`(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})`,
  `(?<=[${UNSPACED_SCRIPTS}])(?![${UNSPACED_SCRIPTS}])|(?<![${UNSPACED_SCRIPTS}])(?=[${UNSPACED_SCRIPTS}])`,
].join('|');

/** Source of a regular expression for words joined by punctuation (node.js, multi-agent), or one word. */
export const CHUNK_PATTERN = String.raw`${WORD_PATTERN}(?:[\-‐._\/'’&@·]${WORD_PATTERN})*`;

/** Whether suggestions are made for a text. A single character of a script without blanks can be a word. */
export function isSuggestible(text: string): boolean {
  if (Array.from(text).length > MAX_SEARCH_LENGTH) return false;
  return countCharacters(text) >= MIN_SUGGEST_LENGTH || new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u').test(text);
}
