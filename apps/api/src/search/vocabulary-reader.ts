import { setImmediate } from 'node:timers/promises';
import { toWord } from './agent-tokens.ts';
import type { TokenReader } from './token-index.ts';
import { MAX_VOCABULARY, Vocabulary } from './vocabulary.ts';

/** Limits of the vocabulary that a process holds in memory. */
export type VocabularyLimits = {
  /** Most words in memory. */
  maxWords: number;
  /** How often a call checks whether agents were removed, in milliseconds. */
  checkInterval: number;
};

const defaultLimits: VocabularyLimits = { maxWords: MAX_VOCABULARY, checkInterval: 60_000 };
/** Agents per read, few enough that a read does not hold up the event loop. */
const AGENTS_PER_READ = 50;
/** A call waits for at most this many reads; the rest is read in the background. */
const READS_PER_CALL = 60;

/**
 * Creates the function that returns the vocabulary of an index with the words of every agent that was stored before the
 * call; undefined while it reads many agents in the background, as after a start. Later calls read only new agents. After
 * agents were removed, all others are read again in the background.
 */
export function createVocabularyReader(
  index: TokenReader,
  { maxWords, checkInterval }: VocabularyLimits = defaultLimits,
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
    return { vocabulary: new Vocabulary(maxWords), lastId: 0, isBehind: false };
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
