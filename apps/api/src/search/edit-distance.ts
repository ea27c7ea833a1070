/**
 * The edit distance of two words (optimal string alignment: replace, delete, insert, swap neighbours); some number above
 * `limit` if it is above. Libraries such as `fastest-levenshtein` count a swap, the most frequent slip, as two edits;
 * `damerau-levenshtein` has no limit and is several times slower.
 */
export function editDistance(from: string, to: string, limit: number): number {
  const [rows, columns] = [from.length, to.length];
  const tooMany = limit + 1;
  if (Math.abs(rows - columns) > limit) return tooMany;
  // Three rows of the distance table.
  let beforeLast: number[] = [];
  let last: number[] = [];
  let current: number[] = [];
  for (let column = 0; column <= columns; column += 1) last.push(column);
  for (let row = 1; row <= rows; row += 1) {
    // Cells farther from the diagonal than the limit exceed the limit.
    const first = Math.max(1, row - limit);
    const end = Math.min(columns, row + limit);
    current[first - 1] = first === 1 ? row : tooMany;
    let least = current[first - 1] as number;
    for (let column = first; column <= end; column += 1) {
      const isSame = from.charCodeAt(row - 1) === to.charCodeAt(column - 1);
      let edits = (last[column - 1] as number) + (isSame ? 0 : 1);
      if (column < row + limit) edits = Math.min(edits, (last[column] as number) + 1);
      edits = Math.min(edits, (current[column - 1] as number) + 1);
      const isSwapped =
        row > 1 &&
        column > 1 &&
        from.charCodeAt(row - 1) === to.charCodeAt(column - 2) &&
        from.charCodeAt(row - 2) === to.charCodeAt(column - 1);
      if (isSwapped) edits = Math.min(edits, (beforeLast[column - 2] as number) + 1);
      current[column] = edits;
      if (edits < least) least = edits;
    }
    if (least > limit) return tooMany;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[columns] as number;
}

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
