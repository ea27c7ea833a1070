import { editDistance } from './edit-distance.ts';

/** A word of the vocabulary that is like another. */
export type SimilarTerm = { term: string; edits: number };

/** The words that agents use, held in memory, each a few bytes more than its letters. */
export class Vocabulary {
  // All terms in the order in which they came, each with a line end before and after it. What came early tends to be
  // what is frequent.
  #text = '\n';
  #count = 0;
  /** Where each term begins in the text. */
  #starts = new Uint32Array(1_024);
  /** How long each term is. */
  #lengths = new Uint8Array(1_024);
  /** Which letters each term has, as bits. */
  #letters = new Uint32Array(1_024);

  /** Adds words that are not in it yet, of at most 255 units. */
  add(terms: readonly string[]): void {
    this.#makeRoom(this.#count + terms.length);
    let start = this.#text.length;
    for (const term of terms) {
      this.#starts[this.#count] = start;
      this.#lengths[this.#count] = term.length;
      this.#letters[this.#count] = toLetterBits(term);
      this.#count += 1;
      start += term.length + 1;
    }
    if (terms.length > 0) this.#text += `${terms.join('\n')}\n`;
  }

  /** The first words that hold the part, at most `limit`. */
  findContaining(part: string, limit: number): string[] {
    const found: string[] = [];
    let position = this.#text.indexOf(part);
    while (position !== -1 && found.length < limit) {
      const start = this.#text.lastIndexOf('\n', position) + 1;
      const end = this.#text.indexOf('\n', position);
      found.push(this.#text.slice(start, end));
      position = this.#text.indexOf(part, end);
    }
    return found;
  }

  /**
   * The words that take at most `maxEdits` wrong, missing, extra or swapped letters, at most `limit`: those of the fewest
   * edits first, then those with the same first letter.
   */
  findSimilar(word: string, maxEdits: number, limit: number): SimilarTerm[] {
    const letters = toLetterBits(word);
    const [shortest, longest] = [word.length - maxEdits, word.length + maxEdits];
    const found: (SimilarTerm & { beginsOtherwise: number })[] = [];
    for (let index = 0; index < this.#count; index += 1) {
      const length = this.#lengths[index] as number;
      if (length < shortest || length > longest) continue;
      // Each edit takes at most one letter away and brings at most one.
      const others = this.#letters[index] as number;
      if (countBits(letters & ~others) > maxEdits || countBits(others & ~letters) > maxEdits) continue;
      const start = this.#starts[index] as number;
      const term = this.#text.slice(start, start + length);
      const edits = editDistance(word, term, maxEdits);
      if (edits > 0 && edits <= maxEdits) found.push({ term, edits, beginsOtherwise: term[0] === word[0] ? 0 : 1 });
    }
    return found
      .toSorted((a, b) => a.edits - b.edits || a.beginsOtherwise - b.beginsOtherwise)
      .slice(0, limit)
      .map(({ term, edits }) => ({ term, edits }));
  }

  #makeRoom(count: number): void {
    if (count <= this.#starts.length) return;
    const size = Math.max(count, this.#starts.length * 2);
    const grow = <Numbers extends Uint32Array | Uint8Array>(larger: Numbers, smaller: Numbers): Numbers => {
      larger.set(smaller);
      return larger;
    };
    this.#starts = grow(new Uint32Array(size), this.#starts);
    this.#lengths = grow(new Uint8Array(size), this.#lengths);
    this.#letters = grow(new Uint32Array(size), this.#letters);
  }
}

// A bit for each letter from a to z; the others share the last six.
function toLetterBits(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index += 1) {
    const letter = word.charCodeAt(index) - 97;
    bits |= 1 << (letter >= 0 && letter < 26 ? letter : 26 + (word.charCodeAt(index) % 6));
  }
  return bits >>> 0;
}

function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
