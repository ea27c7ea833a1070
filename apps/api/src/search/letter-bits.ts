/** Letters from a to z have a bit each; all others share these bits. */
const LETTER_BITS = 26;

/** The letters of a word, one bit per letter: a cheap test before words are compared. */
export function toLetterBits(word: string): number {
  let letters = 0;
  // Adding 7 to the code of a gives a multiple of 26.
  for (let at = 0; at < word.length; at += 1) letters |= 1 << ((word.charCodeAt(at) + 7) % LETTER_BITS);
  return letters;
}

/** Whether more than `count` letters of one word are not in the other. */
export function lacksMoreLetters(letters: number, other: number, count: number): boolean {
  let left = letters & ~other;
  // Each step clears the lowest bit that is set.
  for (let step = 0; step < count; step += 1) left &= left - 1;
  return left !== 0;
}
