import { collectFirst } from './collect.ts';
import { correctQuery, type CorrectedQuery } from './correct-query.ts';
import { cutRun } from './cut-run.ts';
import { find } from './found.ts';
import { toInfix, toMatchedWords } from './matched-words.ts';
import { findPartialMatches } from './partial-matches.ts';
import { ranking } from './ranking.ts';
import { listTerms, type SearchQuery } from './read-query.ts';
import { matchAnywhere, toTiers } from './tiers.ts';
import type { TokenReader } from './token-index.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The agents (seqs) that follow those with all words of a query, best first. */
export type Extras = {
  /** Agents with all words after a correction, with a phrase, or like another agent. */
  corrected: readonly number[];
  /** Agents with some of the words. */
  partial: readonly number[];
};

/** Extras, and how they were found. */
type FoundExtras = {
  extras: Extras;
  /** The corrected text, if it led to the first of them. */
  correction: string | undefined;
  /** The words by which they were found, in the form of `toMatchedWords`. */
  words: readonly string[];
};

/** The extras of a query without any. */
export const noExtras: FoundExtras = { extras: { corrected: [], partial: [] }, correction: undefined, words: [] };

/**
 * Finds the extras of a query.
 * @param text the query as it was typed
 * @param correct whether synonyms count
 * @param canCorrect whether the text may be corrected
 * @param seqs the agents with all words
 */
export async function findExtras(
  index: TokenReader,
  {
    text,
    correct,
    canCorrect,
    query,
    seqs,
    vocabulary,
  }: {
    text: string;
    correct: boolean;
    canCorrect: boolean;
    query: SearchQuery;
    seqs: readonly number[];
    vocabulary: Vocabulary;
  },
): Promise<FoundExtras> {
  const better = canCorrect ? await correctQuery(index, { text, query, vocabulary }) : undefined;
  const corrected = better ? await findCorrected(index, better, new Set(seqs)) : [];
  const scored = better?.query ?? query;
  const taken = new Set([...seqs, ...corrected]);
  const limit = ranking.maxPartial + taken.size;
  const found = await findPartialMatches(index, { query: scored, hasSynonyms: correct, vocabulary, limit });
  const partial = found.filter((seq) => !taken.has(seq));
  const [first] = [...corrected, ...partial];
  const isCorrected = better && first !== undefined && (await index.includes(better.corrections, first));
  return {
    extras: { corrected, partial: partial.slice(0, ranking.maxPartial) },
    correction: isCorrected ? better.text : undefined,
    words: [
      ...(better && first !== undefined ? toMatchedWords(better.query) : []),
      ...(better && corrected.length > 0 ? better.alternatives.flatMap(toMatchedWords) : []),
      ...(partial.length > 0 ? toPieces(scored) : []),
    ],
  };
}

/** The agents with all words after a correction, then those with other words that the misspelled one may stand for. */
async function findCorrected(
  index: TokenReader,
  { query, alternatives }: CorrectedQuery,
  taken: ReadonlySet<number>,
): Promise<number[]> {
  const limit = ranking.maxCorrected;
  const found = await find(index, matchAnywhere(query));
  const best = await collectFirst(
    index,
    { tiers: toTiers(query), terms: listTerms(query), typed: found, all: found },
    limit + taken.size,
  );
  const others = alternatives.map((other) => matchAnywhere(other, 'prefix'));
  const rest = others.length > 0 ? await index.match({ any: others }, { limit }) : [];
  return [...new Set([...best, ...rest])].filter((seq) => !taken.has(seq)).slice(0, limit);
}

/** The pieces of the texts without blanks that agents with some of the words are found by. */
function toPieces({ chunks }: SearchQuery): string[] {
  const runs = chunks.flatMap(({ terms }) => terms).filter(({ isRun }) => isRun);
  return runs.flatMap(cutRun).map(({ text }) => toInfix(text));
}
