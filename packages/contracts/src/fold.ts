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
