/** Most UTF-16 code units for each character: no emoji takes more, but joiners lengthen it to any length. */
const MAX_UNITS_PER_CHARACTER = 16;

/** Most UTF-16 code units of a text, so that the largest registration fits into a request body of 64 KiB. */
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

export function countCharacters(text: string): number {
  return ASCII.test(text) ? text.length : toGraphemes(text).length;
}

/** The beginning of a text: at most `max` characters as people see them, and at most `maxUnits` UTF-16 code units. */
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

/** The beginning of a text as `cutText` gives it, with an ellipsis if it is not all of it. */
export function shortenText(text: string, max: number, maxUnits?: number): string {
  const start = cutText(text, max, maxUnits);
  return start === text ? text : `${start}…`;
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
