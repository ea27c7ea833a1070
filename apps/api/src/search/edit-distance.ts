/** The length of the longest word that is compared, in UTF-16 units. */
const MAX_LENGTH = 64;

// Three rows of the distance table, allocated once, since a search compares thousands of words.
let beforeLast = new Uint8Array(MAX_LENGTH + 1);
let last = new Uint8Array(MAX_LENGTH + 1);
let current = new Uint8Array(MAX_LENGTH + 1);

/**
 * The edit distance of two words (optimal string alignment: replace, delete, insert, swap neighbours). If it is above
 * `limit`, or a word has more than 64 units, the result is some number above `limit`.
 */
export function editDistance(from: string, to: string, limit: number): number {
  const [rows, columns] = [from.length, to.length];
  const tooMany = limit + 1;
  if (Math.abs(rows - columns) > limit || rows > MAX_LENGTH || columns > MAX_LENGTH) return tooMany;
  for (let column = 0; column <= columns; column += 1) last[column] = column;
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
