import { setImmediate } from 'node:timers/promises';
import { stemmer } from 'stemmer';
import { toWord } from './agent-tokens.ts';
import type { TokenReader } from './token-index.ts';
import { editDistance } from './edit-distance.ts';

/** A word of the vocabulary that is similar to another. */
export type SimilarTerm = { term: string; edits: number };

/** Limits of the vocabulary that a process holds in memory. */
export type VocabularyLimits = {
  /** Most words in memory. */
  maxTerms: number;
  /** How often a call checks whether agents were removed, in milliseconds. */
  checkInterval: number;
};

const defaultLimits: VocabularyLimits = { maxTerms: 200_000, checkInterval: 60_000 };
/** Agents per read, few enough that a read does not hold up the event loop. */
const AGENTS_PER_READ = 50;
/** A call waits for at most this many reads; the rest is read in the background. */
const READS_PER_CALL = 60;
/** The share of the words in memory that stays when there are too many. */
const KEPT_SHARE = 0.75;
/** The length of words, in UTF-16 units. */
const TERM_LENGTH = { min: 3, max: 40 };
/** Words with the same stem have these many first letters in common. */
const BEGINNING_LENGTH = 2;
/** Shorter words have endings of at most two letters. */
const MIN_STEM_LENGTH = 4;
/** Letters from a to z have a bit each; all others share these bits. */
const LETTER_BITS = 26;

/** Terms of one length, and the letters of each, one bit per letter. */
type TermsOfLength = { terms: string[]; letters: number[] };

/** The words that agents use, each with the number of its agents. */
export class Vocabulary {
  readonly #maxTerms: number;
  /** The number of agents of each term, in the order in which terms were added. */
  #agents = new Map<string, number>();
  #byLength = makeLengths();
  #byBeginning = new Map<string, string[]>();

  /** The number of agents that were added. */
  agents = 0;

  constructor(maxTerms: number = defaultLimits.maxTerms) {
    this.#maxTerms = maxTerms;
  }

  get size(): number {
    return this.#agents.size;
  }

  /** Adds the words of an agent, each once. */
  add(words: readonly string[]): void {
    this.agents += 1;
    for (const term of words) {
      if (!isTerm(term)) continue;
      const agents = this.#agents.get(term) ?? 0;
      if (agents === 0 && this.size >= this.#maxTerms) this.#makeRoom();
      if (agents === 0) this.#push(term);
      this.#agents.set(term, agents + 1);
    }
  }

  /** The number of agents that use a word. */
  countAgents(term: string): number {
    return this.#agents.get(term) ?? 0;
  }

  /**
   * Whether a word begins so.
   * @param text of at least two letters
   */
  hasPrefix(text: string): boolean {
    return this.#findAlike(text).some((term) => term.startsWith(text));
  }

  /** Other words with the same English stem, at most `limit`: words of the most agents first. */
  findSameStem(word: string, limit: number): string[] {
    const stem = stemmer(word);
    return this.#findAlike(word)
      .filter((term) => term !== word && isInflection(word, term) && stemmer(term) === stem)
      .toSorted((a, b) => this.countAgents(b) - this.countAgents(a) || (a < b ? -1 : 1))
      .slice(0, limit);
  }

  /**
   * The words that contain an infix, at most `limit`: the shortest first.
   * @param infix of at least three letters
   */
  findContaining(infix: string, limit: number): string[] {
    const found: string[] = [];
    const ownLetters = toLetterBits(infix);
    for (const { terms, letters } of this.#byLength.slice(infix.length)) {
      if (found.length >= limit) break;
      const containing = terms.filter(
        (term, index) => (ownLetters & ~(letters[index] as number)) === 0 && term.includes(infix),
      );
      found.push(...containing.toSorted());
    }
    return found.slice(0, limit);
  }

  /**
   * The words within `maxEdits` wrong, missing, extra or swapped letters, at most `limit`: fewest edits first, then
   * words with the same first letter, then words of more agents.
   * @param word of at least four letters per edit
   */
  findSimilar(word: string, maxEdits: number, limit: number): SimilarTerm[] {
    const found: SimilarTerm[] = [];
    const ownLetters = toLetterBits(word);
    for (const { terms, letters } of this.#byLength.slice(word.length - maxEdits, word.length + maxEdits + 1)) {
      for (const [index, term] of terms.entries()) {
        // One edit removes at most one letter and adds at most one.
        const other = letters[index] as number;
        if (hasMoreBits(ownLetters & ~other, maxEdits) || hasMoreBits(other & ~ownLetters, maxEdits)) continue;
        const edits = editDistance(word, term, maxEdits);
        if (edits > 0 && edits <= maxEdits) found.push({ term, edits });
      }
    }
    const startsOtherwise = ({ term }: SimilarTerm) => Number(term[0] !== word[0]);
    return found
      .toSorted(
        (a, b) =>
          a.edits - b.edits ||
          startsOtherwise(a) - startsOtherwise(b) ||
          this.countAgents(b.term) - this.countAgents(a.term) ||
          (a.term < b.term ? -1 : 1),
      )
      .slice(0, limit);
  }

  /** The words that begin with the same two letters. */
  #findAlike(word: string): readonly string[] {
    return this.#byBeginning.get(word.slice(0, BEGINNING_LENGTH)) ?? [];
  }

  #push(term: string): void {
    const sameLength = this.#byLength[term.length] as TermsOfLength;
    sameLength.terms.push(term);
    sameLength.letters.push(toLetterBits(term));
    const beginning = term.slice(0, BEGINNING_LENGTH);
    const alike = this.#byBeginning.get(beginning);
    if (alike) alike.push(term);
    else this.#byBeginning.set(beginning, [term]);
  }

  // Words of one agent go first, the newest of them before the older ones: a flood of new words removes itself.
  #makeRoom(): void {
    const kept = new Map([...this.#agents].filter(([, agents]) => agents > 1));
    const room = Math.floor(this.#maxTerms * KEPT_SHARE);
    for (const [term, agents] of this.#agents) {
      if (kept.size >= room) break;
      kept.set(term, agents);
    }
    this.#agents = new Map([...kept].slice(0, room));
    this.#byLength = makeLengths();
    this.#byBeginning = new Map();
    for (const term of this.#agents.keys()) this.#push(term);
  }
}

/**
 * Creates the function that returns the vocabulary of an index with the words of every agent that was stored before the
 * call; undefined while it reads many agents in the background, as after a start. Later calls read only new agents. After
 * agents were removed, all others are read again in the background.
 */
export function createVocabularyReader(
  index: TokenReader,
  { maxTerms, checkInterval }: VocabularyLimits = defaultLimits,
): () => Promise<Vocabulary | undefined> {
  let current = startReading();
  let background: Promise<void> | undefined;
  let checkedAt = performance.now();
  let lastCall: Promise<unknown> = Promise.resolve();

  return () => {
    const call = lastCall.then(read);
    lastCall = call.catch(() => {});
    return call;
  };

  async function read(): Promise<Vocabulary | undefined> {
    for (let reads = 0; reads < READS_PER_CALL && !current.isBehind; reads += 1) {
      if (await readNext(current)) {
        await checkForRemovals();
        return current.vocabulary;
      }
      await setImmediate();
    }
    current.isBehind = true;
    background ??= readInBackground(current);
    return undefined;
  }

  async function checkForRemovals(): Promise<void> {
    if (background || performance.now() - checkedAt <= checkInterval) return;
    checkedAt = performance.now();
    if ((await index.countAgents()) < current.vocabulary.agents) background = readInBackground(startReading());
  }

  async function readInBackground(target: Reading): Promise<void> {
    try {
      while (!(await readNext(target))) await setImmediate();
      current = target;
    } catch {
      // A later call continues, and reports the error if it lasts.
    } finally {
      target.isBehind = false;
      background = undefined;
    }
  }

  function startReading(): Reading {
    return { vocabulary: new Vocabulary(maxTerms), lastId: 0, isBehind: false };
  }

  /** Reads the next agents; true if there were no more. */
  async function readNext(target: Reading): Promise<boolean> {
    const agents = await index.readTerms({ after: target.lastId, limit: AGENTS_PER_READ });
    for (const { terms } of agents) target.vocabulary.add(terms.split(' ').map(toWord));
    target.lastId = agents.at(-1)?.id ?? target.lastId;
    return agents.length < AGENTS_PER_READ;
  }
}

/** A vocabulary and how far it has been read. */
type Reading = {
  vocabulary: Vocabulary;
  /** Agents with a higher id have not been read. */
  lastId: number;
  /** Whether too many agents are left for one call. */
  isBehind: boolean;
};

/** Whether two words with the same stem differ in their endings only, not like "fastagent" and "fastagency". */
function isInflection(word: string, other: string): boolean {
  const length = Math.max(word.length, other.length);
  let common = 0;
  while (common < length && word[common] === other[common]) common += 1;
  return length - common <= (common < MIN_STEM_LENGTH ? 2 : 3);
}

/** The places for terms of each length, up to the longest. */
function makeLengths(): TermsOfLength[] {
  return Array.from({ length: TERM_LENGTH.max + 1 }, () => ({ terms: [], letters: [] }));
}

function isTerm(term: string): boolean {
  return term.length >= TERM_LENGTH.min && term.length <= TERM_LENGTH.max && /\p{L}/u.test(term);
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
