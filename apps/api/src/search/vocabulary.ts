import { setImmediate } from 'node:timers/promises';
import type { StoredTerm, TokenReader } from './token-index.ts';
import { editDistance } from './edit-distance.ts';

/** A word of the vocabulary that is similar to another. */
export type SimilarTerm = { term: string; edits: number };

/** Limits of the vocabulary that a process holds in memory. */
export type VocabularyLimits = {
  /** Most words in memory. */
  maxTerms: number;
  /** After this time the words are read again, in milliseconds. */
  maxAge: number;
};

const defaultLimits: VocabularyLimits = { maxTerms: 200_000, maxAge: 60_000 };
/** Words per read, few enough that a read does not hold up the event loop. */
const TERMS_PER_READ = 5_000;
/** Most words that a lookup takes from a list of the index, and most of them that it compares: bounds on its time. */
const MAX_CANDIDATES = 30_000;
const MAX_COMPARED = 10_000;
/** Trigrams share this many lists, so that the memory of the index is bounded whatever the words are. */
const TRIGRAM_LISTS = 2 ** 16;
/** An edit changes at most four successive trigrams of a word, so it changes one of any two that are this far apart. */
const TRIGRAM_DISTANCE = 4;
/** Letters from a to z have a bit each; all others share these bits. */
const LETTER_BITS = 26;

/** The words that agents use, in the order in which they were added, with an index of their trigrams. */
export class Vocabulary {
  readonly #terms: string[] = [];
  /** The letters of each term, one bit per letter. */
  readonly #letters: number[] = [];
  /** The indexes of the terms that have a trigram, upwards; terms of other trigrams are among them. */
  readonly #lists: (number[] | undefined)[] = Array.from({ length: TRIGRAM_LISTS });

  get size(): number {
    return this.#terms.length;
  }

  add(terms: readonly string[]): void {
    for (const term of terms) {
      for (const trigram of toTrigrams(withBorders(term))) (this.#lists[trigram] ??= []).push(this.#terms.length);
      this.#terms.push(term);
      this.#letters.push(toLetterBits(term));
    }
  }

  /**
   * The first words that contain the part, at most `limit`.
   * @param part of at least three letters
   */
  findContaining(part: string, limit: number): string[] {
    const found = new Set<string>();
    const [rarest = []] = this.#listsOf(part).toSorted((a, b) => a.length - b.length);
    for (const index of rarest.slice(0, MAX_CANDIDATES)) {
      const term = this.#terms[index] as string;
      if (term.includes(part)) found.add(term);
      if (found.size === limit) break;
    }
    return [...found];
  }

  /**
   * The words within `maxEdits` wrong, missing, extra or swapped letters, at most `limit`: fewest edits first, then
   * words with the same first letter.
   * @param word of at least four letters per edit
   */
  findSimilar(word: string, maxEdits: number, limit: number): SimilarTerm[] {
    const found = new Map<string, { edits: number; startsOtherwise: number; index: number }>();
    const ownLetters = toLetterBits(word);
    let compared = 0;
    for (const index of this.#findCandidates(word, maxEdits)) {
      // One edit removes at most one letter and adds at most one.
      const letters = this.#letters[index] as number;
      if (hasMoreBits(ownLetters & ~letters, maxEdits) || hasMoreBits(letters & ~ownLetters, maxEdits)) continue;
      if (compared === MAX_COMPARED) break;
      compared += 1;
      const term = this.#terms[index] as string;
      const edits = editDistance(word, term, maxEdits);
      if (edits === 0 || edits > maxEdits) continue;
      found.set(term, { edits, startsOtherwise: Number(term[0] !== word[0]), index });
    }
    return [...found]
      .toSorted(([, a], [, b]) => a.edits - b.edits || a.startsOtherwise - b.startsOtherwise || a.index - b.index)
      .slice(0, limit)
      .map(([term, { edits }]) => ({ term, edits }));
  }

  /** The terms that have one of `maxEdits + 1` distant trigrams of a word, of which the edits leave one unchanged. */
  #findCandidates(word: string, maxEdits: number): number[] {
    const lists = this.#listsOf(withBorders(word));
    let best: number[][] = [];
    for (let first = 0; first + maxEdits * TRIGRAM_DISTANCE < lists.length; first += 1) {
      const chosen = Array.from({ length: maxEdits + 1 }, (_, n) => lists[first + n * TRIGRAM_DISTANCE] as number[]);
      if (first === 0 || countAll(chosen) < countAll(best)) best = chosen;
    }
    return best.flatMap((list) => list.slice(0, MAX_CANDIDATES));
  }

  #listsOf(text: string): number[][] {
    return toTrigrams(text).map((trigram) => this.#lists[trigram] ?? []);
  }
}

/**
 * Creates the function that returns the vocabulary of an index with every word that was stored before the call. The
 * first call reads all words. Words that several agents use are read first, so they stay when there are more than fit
 * in memory. Words whose last agent is gone disappear with the next full read, which later calls do step by step.
 */
export function createVocabularyReader(
  index: TokenReader,
  { maxTerms, maxAge }: VocabularyLimits = defaultLimits,
): () => Promise<Vocabulary> {
  let current: FullRead | undefined;
  let refresh: FullRead | undefined;
  let lastCall: Promise<unknown> = Promise.resolve();

  return () => {
    const call = lastCall.then(read);
    lastCall = call.catch(() => {});
    return call;
  };

  async function read(): Promise<Vocabulary> {
    if (!current) {
      const first = await startFullRead();
      while (!(await first.steps.next()).done) await setImmediate();
      current = first;
    } else if (refresh || performance.now() - current.startedAt > maxAge) {
      try {
        refresh ??= await startFullRead();
        if ((await refresh.steps.next()).done) [current, refresh] = [refresh, undefined];
      } catch (error) {
        refresh = undefined;
        throw error;
      }
    }
    await readNewTerms(current);
    return current.vocabulary;
  }

  async function startFullRead(): Promise<FullRead> {
    const vocabulary = new Vocabulary();
    const lastId = await index.lastTermId();
    return { vocabulary, lastId, startedAt: performance.now(), steps: readAllTerms(vocabulary) };
  }

  async function* readAllTerms(vocabulary: Vocabulary): AsyncGenerator<void, void, undefined> {
    const terms: StoredTerm[] = [];
    for (const isShared of [true, false]) {
      let after = 0;
      while (terms.length < maxTerms) {
        const limit = Math.min(TERMS_PER_READ, maxTerms - terms.length);
        const read = await index.readTerms({ after, limit, isShared });
        terms.push(...read);
        if (read.length < limit) break;
        after = read.at(-1)?.id ?? after;
        yield;
      }
    }
    // Two sorted runs, which are quick to merge. All processes have the same order, so their results are the same.
    terms.sort((a, b) => a.id - b.id);
    for (let begin = 0; begin < terms.length; begin += TERMS_PER_READ) {
      vocabulary.add(terms.slice(begin, begin + TERMS_PER_READ).map(({ term }) => term));
      yield;
    }
  }

  async function readNewTerms(target: FullRead): Promise<void> {
    while (target.vocabulary.size < maxTerms) {
      const limit = Math.min(TERMS_PER_READ, maxTerms - target.vocabulary.size);
      const read = await index.readTerms({ after: target.lastId, limit });
      target.vocabulary.add(read.map(({ term }) => term));
      target.lastId = read.at(-1)?.id ?? target.lastId;
      if (read.length < limit) return;
      await setImmediate();
    }
  }
}

/** A read of the whole vocabulary, one step per call of `steps`. */
type FullRead = {
  vocabulary: Vocabulary;
  /** Terms with a higher id have not been read. */
  lastId: number;
  startedAt: number;
  steps: AsyncGenerator<void, void, undefined>;
};

/** Marks the start and the end of a word, so that its first and its last letters are in as many trigrams as others. */
function withBorders(word: string): string {
  return `\n\n${word}\n`;
}

/** The list of each trigram of a text. */
function toTrigrams(text: string): number[] {
  const trigrams: number[] = [];
  for (let at = 0; at + 2 < text.length; at += 1) {
    const hash = text.charCodeAt(at) * 1_681 + text.charCodeAt(at + 1) * 41 + text.charCodeAt(at + 2);
    trigrams.push(hash % TRIGRAM_LISTS);
  }
  return trigrams;
}

function countAll(lists: readonly number[][]): number {
  return lists.reduce((sum, list) => sum + list.length, 0);
}

function toLetterBits(word: string): number {
  let letters = 0;
  // Adding 7 to the code of a gives a multiple of 26.
  for (let at = 0; at < word.length; at += 1) letters |= 1 << ((word.charCodeAt(at) + 7) % LETTER_BITS);
  return letters;
}

function hasMoreBits(bits: number, count: number): boolean {
  let left = bits;
  // Each step clears the lowest bit that is set.
  for (let step = 0; step < count; step += 1) left &= left - 1;
  return left !== 0;
}
