import { LRUCache } from 'lru-cache';
import { editDistance } from './edit-distance.ts';

/** A word of the vocabulary that is like another. */
export type SimilarTerm = { term: string; edits: number };

/** How many letters in a row the index is by. */
const ROW = 3;
/** Lists of the index. Different rows may share one, so that what a list gives is to be looked at once more. */
const LISTS = 2 ** 16;
/** The bits of a shape that stand for letters. */
const LETTERS = 26;
const ALL_LETTERS = 2 ** LETTERS - 1;
/** Of how many words it is remembered which hold them or are similar: searches have the same words again and again. */
const REMEMBERED = 4_000;

/** What was found among the words before a place. */
type Known<Found> = { found: readonly Found[]; upTo: number };

/** The words that agents use, held in memory. */
export class Vocabulary {
  // In the order in which they came. What came early tends to be what is frequent.
  readonly #terms: string[] = [];
  /** How long each term is and which letters it has, as bits. */
  readonly #shapes: number[] = [];
  /** For each row of letters the places of the terms that have it, upwards; nothing for rows that none has, which most are. */
  readonly #lists: (number[] | undefined)[] = Array.from({ length: LISTS });
  readonly #containing = new LRUCache<string, Known<string>>({ max: REMEMBERED });
  readonly #similar = new LRUCache<string, Known<SimilarTerm>>({ max: REMEMBERED });

  /** Adds words that are not in it yet. */
  add(terms: readonly string[]): void {
    for (const term of terms) {
      const place = this.#terms.push(term) - 1;
      this.#shapes.push(toShape(term));
      for (const row of rowsOf(withBorders(term))) {
        const list = (this.#lists[row] ??= []);
        if (list.at(-1) !== place) list.push(place);
      }
    }
  }

  /** The first words that hold the part, which has three letters or more; at most `limit`. */
  findContaining(part: string, limit: number): readonly string[] {
    return this.#extend(this.#containing, `${part} ${limit}`, (known, from) => {
      const found = [...known];
      const [places = []] = chooseLists(this.#listsOf(part), 1);
      for (const place of startingAt(from, places)) {
        if (found.length === limit) break;
        const term = this.#terms[place] as string;
        if (term.includes(part)) found.push(term);
      }
      return found;
    });
  }

  /**
   * The words that take at most `maxEdits` wrong, missing, extra or swapped letters, at most `limit`: those of the fewest
   * edits first, then those with the same first letter.
   * @param word of at least four letters for each edit
   */
  findSimilar(word: string, maxEdits: number, limit: number): readonly SimilarTerm[] {
    return this.#extend(this.#similar, `${word} ${maxEdits} ${limit}`, (known, from) => {
      const beginsOtherwise = ({ term }: SimilarTerm) => Number(term[0] !== word[0]);
      // Words that are equally near stay in the order in which they came.
      return [...known, ...this.#lookUpSimilar(word, maxEdits, from)]
        .toSorted((one, other) => one.edits - other.edits || beginsOtherwise(one) - beginsOtherwise(other))
        .slice(0, limit);
    });
  }

  /** The similar words from a place on, in the order in which they came. */
  #lookUpSimilar(word: string, maxEdits: number, from: number): SimilarTerm[] {
    const shape = toShape(word);
    const found = new Map<number, SimilarTerm>();
    // An edit spoils at most one of rows that have a letter between them, so that one of more rows than edits is as it was.
    for (const list of chooseLists(this.#listsOf(withBorders(word)), maxEdits + 1)) {
      for (const place of startingAt(from, list)) {
        if (!mayBeSimilar(shape, this.#shapes[place] as number, maxEdits)) continue;
        const term = this.#terms[place] as string;
        const edits = editDistance(word, term, maxEdits);
        if (edits > 0 && edits <= maxEdits) found.set(place, { term, edits });
      }
    }
    return [...found].toSorted(([place], [other]) => place - other).map(([, similar]) => similar);
  }

  /** What is found for a key: what is known of it, and more among the words that came since. */
  #extend<Found>(
    known: LRUCache<string, Known<Found>>,
    key: string,
    find: (found: readonly Found[], from: number) => Found[],
  ): readonly Found[] {
    const { found, upTo } = known.get(key) ?? { found: [], upTo: 0 };
    if (upTo === this.#terms.length) return found;
    const extended = find(found, upTo);
    known.set(key, { found: extended, upTo: this.#terms.length });
    return extended;
  }

  #listsOf(text: string): number[][] {
    return rowsOf(text).map((row) => this.#lists[row] ?? []);
  }
}

/** Of a list's places, which go upwards, those from one on. */
function startingAt(from: number, places: readonly number[]): readonly number[] {
  return from === 0 ? places : places.slice(places.findLastIndex((place) => place < from) + 1);
}

/** The places in the index of each row of letters of a text. */
function rowsOf(text: string): number[] {
  const rows: number[] = [];
  for (let start = 0; start <= text.length - ROW; start += 1) {
    const hash = text.charCodeAt(start) * 1_681 + text.charCodeAt(start + 1) * 41 + text.charCodeAt(start + 2);
    rows.push(hash % LISTS);
  }
  return rows;
}

/** The beginning and the end of a word as letters of their own, so that each letter of a word is one of a row. */
function withBorders(word: string): string {
  return `\n\n${word}\n`;
}

/** Of the lists of successive rows the `count` shortest between whose rows there is a letter. */
function chooseLists(lists: readonly number[][], count: number): readonly number[][] {
  // For each row the best choice from there on: of none at first, then of one list more each time.
  let choices = Array.from({ length: lists.length + ROW + 1 }, () => ({ size: 0, chosen: [] as number[][] }));
  for (let more = 0; more < count; more += 1) {
    let best = { size: Infinity, chosen: [] as number[][] };
    const longer: typeof choices = Array.from({ length: choices.length }, () => best);
    for (let row = lists.length - 1; row >= 0; row -= 1) {
      const list = lists[row] as number[];
      const { size, chosen } = choices[row + ROW + 1] as (typeof choices)[number];
      if (list.length + size < best.size) best = { size: list.length + size, chosen: [list, ...chosen] };
      longer[row] = best;
    }
    choices = longer;
  }
  return choices[0]?.chosen ?? [];
}

// Other letters than a to z share bits with these.
function toShape(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index += 1) letters |= 1 << ((word.charCodeAt(index) + 7) % LETTERS);
  return (Math.min(word.length, 63) << LETTERS) | letters;
}

// Each edit takes at most one letter away and brings at most one.
function mayBeSimilar(one: number, other: number, maxEdits: number): boolean {
  if (Math.abs((one >>> LETTERS) - (other >>> LETTERS)) > maxEdits) return false;
  return hasAtMost(maxEdits, one & ~other & ALL_LETTERS) && hasAtMost(maxEdits, other & ~one & ALL_LETTERS);
}

/** Whether at most so many bits are set. */
function hasAtMost(count: number, bits: number): boolean {
  let left = bits;
  // Each time the lowest is taken away.
  for (let taken = 0; taken < count; taken += 1) left &= left - 1;
  return left === 0;
}
