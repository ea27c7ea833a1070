const ASCII = /^[\0-\x7f]*$/;
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
  if (ASCII.test(text)) return text.toLowerCase();
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
