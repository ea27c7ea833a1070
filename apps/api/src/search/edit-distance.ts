/** The longest word that is compared, in UTF-16 units. */
const MAX_LENGTH = 64;

// The rows of the table of distances that are needed at a time; made once, since thousands of words are compared in one search.
let beforeLast = new Uint8Array(MAX_LENGTH + 1);
let last = new Uint8Array(MAX_LENGTH + 1);
let current = new Uint8Array(MAX_LENGTH + 1);

/**
 * How many single letters must be replaced, left out, put in or swapped with their neighbour to make one word of another,
 * where no letter is touched twice (optimal string alignment). Above `limit`, and for words of more than 64 units, it is
 * any number above `limit`.
 */
export function editDistance(from: string, to: string, limit: number): number {
  const [rows, columns] = [from.length, to.length];
  const tooMany = limit + 1;
  if (Math.abs(rows - columns) > limit || rows > MAX_LENGTH || columns > MAX_LENGTH) return tooMany;
  for (let column = 0; column <= columns; column += 1) last[column] = column;
  for (let row = 1; row <= rows; row += 1) {
    // Farther from the diagonal than the limit nothing can be within it.
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
