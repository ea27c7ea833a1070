import { MAX_SEARCH_LENGTH, MIN_SUGGEST_LENGTH } from './request-limits.ts';

/**
 * Most UTF-16 code units for each character of a text that may have a number of characters. No emoji of Unicode takes
 * more, but a character can be of any length: joiners and marks lengthen it.
 */
const MAX_UNITS_PER_CHARACTER = 16;

/**
 * Most UTF-16 code units of a text, so that rows are bounded and the largest registration fits into a request body of
 * 64 KiB: name, description, all capabilities and all example tasks together are at most 60 kB of UTF-8.
 */
export const MAX_UNITS = 8_000;

/** The bound in UTF-16 code units of a text of at most `max` characters. */
export function toMaxUnits(max: number): number {
  return Math.min(MAX_UNITS_PER_CHARACTER * max, MAX_UNITS);
}

/** Whether every engine can store a text: PostgreSQL takes no U+0000, and half of a surrogate pair has no UTF-8. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

// Without returns: CR LF is one character.
const ASCII = /^[\n -~]*$/;
let segmenter: Intl.Segmenter | undefined;

function segment(text: string): Intl.Segments {
  // A browser takes several milliseconds to load the rules, and most texts do not need them.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** Splits a text into characters as people see them: extended grapheme clusters (UAX #29). */
export function toGraphemes(text: string): string[] {
  if (ASCII.test(text)) return text.split('');
  return Array.from(segment(text), (part) => part.segment);
}

/** Counts the characters of a text as people see them. */
export function countCharacters(text: string): number {
  return ASCII.test(text) ? text.length : toGraphemes(text).length;
}

/**
 * The beginning of a text: at most `max` characters as people see them, and at most `maxUnits` UTF-16 code units. No
 * character is cut apart.
 */
export function cutText(text: string, max: number, maxUnits = toMaxUnits(max)): string {
  const maxAscii = Math.min(max, maxUnits);
  if (text.length <= maxAscii) return text;
  if (ASCII.test(text)) return text.slice(0, maxAscii);
  let count = 0;
  for (const { segment: character, index } of segment(text)) {
    count += 1;
    if (count > max || index + character.length > maxUnits) return text.slice(0, index);
  }
  return text;
}

/** The beginning of a text: at most `max` code points, as other programs count. No character is cut apart. */
export function cutPoints(text: string, max: number): string {
  let [end, points] = [0, 0];
  // A code point has at most two units.
  for (const character of toGraphemes(text.slice(0, 2 * max + 1))) {
    points += Array.from(character).length;
    if (points > max) return text.slice(0, end);
    end += character.length;
  }
  return text.slice(0, end);
}

const SEVEN_BITS = /^[\0-\x7f]*$/;
// Accents, vowel signs of Arabic and Hebrew, and the stroke that makes Arabic words longer; not the voicing marks of kana,
// which distinguish letters.
const ACCENTS = /[[\p{Script=Inherited}--[\u3099\u309A]][\p{M}&&[\p{sc=Arab}\p{sc=Hebr}]]\u0640]/gv;
// Letters with a stroke, ligatures, and yeh and kaf of Persian, which NFKD does not decompose.
const PLAIN_LETTERS: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  þ: 'th',
  ς: 'σ',
  ی: 'ي',
  ى: 'ي',
  ک: 'ك',
};

/** Characters that nobody sees, such as joiners and soft hyphens. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Removes the characters that nobody sees, so that a word with and without them is one word. */
export function removeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, '');
}

/**
 * Folds a text for search: removes case, accents, width and characters that nobody sees.
 * @example fold('Ｃａｆé Łódź') // 'cafe lodz'
 */
export function fold(text: string): string {
  if (SEVEN_BITS.test(text)) return text.toLowerCase();
  return (
    removeInvisible(text)
      .normalize('NFKD')
      .replaceAll(ACCENTS, '')
      // Upper case first: ß and SS are equal only in capitals.
      .toUpperCase()
      .toLowerCase()
      .replaceAll(/[æœøđðħłþςیىک]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
      .normalize('NFC')
  );
}

/** Folded stop words. They count in a search only if it has no other words. */
export const functionWords: ReadonlySet<string> = new Set(
  'a an and are as at be by can for from i in into is it its my of on or that the this to with you your'.split(' '),
);

/** Scripts without spaces between words, as the content of a character class. */
export const UNSPACED_SCRIPTS = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー`;
/** Source of a regular expression for a word. + and # belong to the word before them (C++, C#), but not between two words (text+image). */
export const WORD_PATTERN = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:\+\+|[+#](?![\p{L}\p{N}]))?`;

/**
 * Source of a regular expression for the borders between words within a word: before the C of text2Code, the C of
 * HTMLCode, around digits and around text without blanks.
 */
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
