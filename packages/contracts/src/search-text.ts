const ASCII = /^[\0-\x7f]*$/;
// Marks that any script shares: accents, but not the voicing marks of kana, which make another letter.
const ACCENTS = /[\p{Script=Inherited}--[\u3099\u309A]]/gv;
// Letters that look like another with a stroke or stand for two, which Unicode does not take apart.
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
};

/**
 * Reduces a text to what searching compares: without case, accents and width.
 * @example fold('Ｃａｆé Łódź') // 'cafe lodz'
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return (
    text
      .normalize('NFKD')
      .replaceAll(ACCENTS, '')
      // Upwards first, since ß and SS are the same letter only in capitals.
      .toUpperCase()
      .toLowerCase()
      .replaceAll(/[æœøđðħłþς]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
      .normalize('NFC')
  );
}

/** Words, folded, that say nothing about what is looked for; in a search they count only where there are no others. */
export const functionWords: ReadonlySet<string> = new Set(
  'a an and are as at be by can for from i in into is it its my of on or that the this to with you your'.split(' '),
);

/** The shortest text that is also looked for inside words, in letters. */
export const MIN_PART_LENGTH = 3;

/** Scripts that write without blanks, so that any piece of a text may be a word, as the inside of a character class. */
export const UNSPACED_SCRIPTS = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー`;

/** A word, as the source of a regular expression: + and # belong to the word before them (C++, C#), unless they stand between two (text+image). */
export const WORD_PATTERN = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:\+\+|[+#](?![\p{L}\p{N}]))?`;

/** Words that punctuation binds together (node.js, multi-agent), or one, as the source of a regular expression. */
export const CHUNK_PATTERN = String.raw`${WORD_PATTERN}(?:[\-‐._\/'’&@·]${WORD_PATTERN})*`;
