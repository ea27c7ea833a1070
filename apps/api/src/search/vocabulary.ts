import { setImmediate } from 'node:timers/promises';
import { toWord, type TokenReader } from './agent-tokens.ts';

/** Most words in memory. */
const MAX_VOCABULARY = 200_000;
/** The share of the words in memory that stays when there are too many. */
const KEPT_SHARE = 0.75;
const WORD_LENGTH = { min: 3, max: 40 };
/** Words with the same stem have these many first letters in common. */
const BEGINNING_LENGTH = 3;

/** Words of one length, and the letters of each (`toLetterBits`). */
type WordsOfLength = { words: string[]; letters: number[] };

/** The words that agents use, each with the number of its agents. */
export class Vocabulary {
  readonly #maxWords: number;
  /** The number of agents of each word, in the order in which words were added. */
  readonly #agents = new Map<string, number>();
  #byLength = makeLengths();
  #byBeginning = new Map<string, string[]>();

  agents = 0;

  constructor(maxWords: number = MAX_VOCABULARY) {
    this.#maxWords = maxWords;
  }

  get size(): number {
    return this.#agents.size;
  }

  add(words: readonly string[]): void {
    this.agents += 1;
    for (const word of words) {
      if (!isKept(word)) continue;
      const agents = this.#agents.get(word) ?? 0;
      if (agents === 0 && this.size >= this.#maxWords) this.#makeRoom();
      if (agents === 0) this.#push(word);
      this.#agents.set(word, agents + 1);
    }
  }

  countAgents(word: string): number {
    return this.#agents.get(word) ?? 0;
  }

  /** The words of each length in a range, shortest first; those of one length in no order. */
  ofLengths(min: number, max: number): readonly Readonly<WordsOfLength>[] {
    return this.#byLength.slice(min, max + 1);
  }

  /**
   * Whether a word begins so.
   * @param text of at least three letters
   */
  hasPrefix(text: string): boolean {
    return this.#findAlike(text).some((word) => word.startsWith(text));
  }

  /**
   * Other words with the same first half, at most `limit`: words of the most agents first.
   * @param text of at least three letters
   * @param isSame whether a word is another form of it
   */
  findInflections(text: string, isSame: (word: string) => boolean, limit: number): string[] {
    const half = text.slice(0, text.length / 2);
    return this.#findAlike(text)
      .filter((word) => word !== text && word.startsWith(half) && isSame(word))
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
    for (const { words, letters } of this.ofLengths(infix.length, WORD_LENGTH.max)) {
      if (found.length >= limit) break;
      const containing: string[] = [];
      for (let at = 0; at < words.length; at += 1) {
        const hasLetters = (ownLetters & ~(letters[at] as number)) === 0;
        if (hasLetters && (words[at] as string).includes(infix)) containing.push(words[at] as string);
      }
      found.push(...containing.toSorted());
    }
    return found.slice(0, limit);
  }

  #findAlike(text: string): readonly string[] {
    return this.#byBeginning.get(text.slice(0, BEGINNING_LENGTH)) ?? [];
  }

  #push(word: string): void {
    this.#byLength[word.length]?.words.push(word);
    this.#byLength[word.length]?.letters.push(toLetterBits(word));
    const beginning = word.slice(0, BEGINNING_LENGTH);
    const alike = this.#byBeginning.get(beginning);
    if (alike) alike.push(word);
    else this.#byBeginning.set(beginning, [word]);
  }

  // Words of one agent go first, the newest of them before the older ones: a flood of new words removes itself.
  #makeRoom(): void {
    const room = Math.floor(this.#maxWords * KEPT_SHARE);
    let shared = 0;
    for (const agents of this.#agents.values()) if (agents > 1) shared += 1;
    let roomForShared = Math.min(shared, room);
    let roomForOthers = room - roomForShared;
    for (const [word, agents] of this.#agents) {
      const hasRoom = agents > 1 ? roomForShared-- > 0 : roomForOthers-- > 0;
      if (!hasRoom) this.#agents.delete(word);
    }
    this.#byLength = makeLengths();
    this.#byBeginning = new Map();
    for (const word of this.#agents.keys()) this.#push(word);
  }
}

const makeLengths = () =>
  Array.from({ length: WORD_LENGTH.max + 1 }, (): WordsOfLength => ({ words: [], letters: [] }));

function isKept(word: string): boolean {
  return word.length >= WORD_LENGTH.min && word.length <= WORD_LENGTH.max && /\p{L}/u.test(word);
}

/** Limits of the vocabulary of a process: most words, and how often removed agents are looked for, in milliseconds. */
export type VocabularyLimits = { maxWords: number; checkInterval: number };

/** Agents per read, few enough that a read does not hold up the event loop. */
const AGENTS_PER_READ = 50;
/** A call waits for at most this many reads; the rest is read in the background. */
const READS_PER_CALL = 60;

/** A vocabulary that has been read up to a change, and whether too many agents are left for one call. */
type Reading = { vocabulary: Vocabulary; last: number; isBehind: boolean };

/**
 * Creates the function that returns the vocabulary of an index with the words of every agent that was stored before the
 * call; undefined while it reads many agents in the background, as after a start. Later calls read only new agents. After
 * agents were removed, all others are read again in the background.
 */
export function createVocabularyReader(
  index: TokenReader,
  { maxWords, checkInterval }: VocabularyLimits = { maxWords: MAX_VOCABULARY, checkInterval: 60_000 },
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
      if (await readNext(index, current)) {
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
      while (!(await readNext(index, target))) await setImmediate();
      current = target;
    } catch {
      // A later call continues, and reports the error if it lasts.
    } finally {
      target.isBehind = false;
      background = undefined;
    }
  }

  function startReading(): Reading {
    return { vocabulary: new Vocabulary(maxWords), last: 0, isBehind: false };
  }
}

/** Reads the next agents; true if there were no more. */
async function readNext(index: TokenReader, target: Reading): Promise<boolean> {
  const agents = await index.readTerms({ after: target.last, limit: AGENTS_PER_READ });
  for (const { terms } of agents) if (terms !== null) target.vocabulary.add(terms.split(' ').map(toWord));
  target.last = agents.at(-1)?.number ?? target.last;
  return agents.length < AGENTS_PER_READ;
}

/** The letters of a word, one bit each, which other scripts share: a cheap test before words are compared. */
export function toLetterBits(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) % 26);
  return letters;
}
