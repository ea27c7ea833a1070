import { setImmediate } from 'node:timers/promises';
import { addForms } from './add-forms.ts';
import { loadEnglishWords } from './english-words.ts';
import { findCorrections, mayBeMisspelled, type Correction } from './find-corrections.ts';
import { ranking } from './ranking.ts';
import { readQuery, replaceWords, type QueryTerm, type SearchQuery } from './read-query.ts';
import { matchAnywhere } from './tiers.ts';
import type { TokenQuery, TokenReader } from './token-index.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A query with its misspelled words corrected. */
export type CorrectedQuery = {
  text: string;
  query: SearchQuery;
  /** The query for agents with one of the corrections. */
  corrections: TokenQuery;
  /** The queries with each word that a single misspelled word may stand for. */
  alternatives: SearchQuery[];
};

/** A misspelled word with the words that it may stand for, the best first. */
type Misspelling = { text: string; corrections: readonly Correction[] };

/** Corrects the misspelled words of a query, so that agents have all words if there is such a correction. */
export async function correctQuery(
  index: TokenReader,
  { text, query, vocabulary }: { text: string; query: SearchQuery; vocabulary: Vocabulary },
): Promise<CorrectedQuery | undefined> {
  const unknown = listUnknownTerms(query, vocabulary, Infinity);
  const englishWords = await loadEnglishWords();
  const misspelled = unknown.filter((term) => !englishWords.has(term.text)).slice(0, ranking.maxCorrectedTerms);
  const misspellings = await findMisspellings(misspelled, vocabulary);
  const leftOut = new Map(unknown.map((term) => [term.text, '']));
  const replacements = await chooseCorrections(index, { text, leftOut, misspellings });
  const corrected = replaceWords(text, replacements);
  const read = replacements.size > 0 ? readQuery(corrected, { vocabulary }) : undefined;
  if (!read) return undefined;
  const [single] = misspellings.length === 1 ? misspellings : [];
  return {
    text: corrected,
    query: await addForms(read, vocabulary),
    corrections: { any: [...replacements.values()].map((token) => ({ token, isPrefix: false })) },
    alternatives: single
      ? single.corrections.flatMap(({ word }) => readQuery(replaceWords(text, new Map([[single.text, word]]))) ?? [])
      : [],
  };
}

/** The terms of a query that no agent uses; by default as many as are corrected. */
export function listUnknownTerms(
  { chunks }: SearchQuery,
  vocabulary: Vocabulary,
  limit: number = ranking.maxCorrectedTerms,
): QueryTerm[] {
  const terms = chunks.flatMap((chunk) => chunk.terms);
  return terms.filter((term) => mayBeMisspelled(term, vocabulary)).slice(0, limit);
}

/** The terms that have corrections. */
async function findMisspellings(terms: readonly QueryTerm[], vocabulary: Vocabulary): Promise<Misspelling[]> {
  const misspellings: Misspelling[] = [];
  for (const term of terms) {
    // A lookup can take milliseconds, so the event loop gets its turn between two terms.
    await setImmediate();
    const corrections = findCorrections(term.text, vocabulary);
    if (corrections.length > 0) misspellings.push({ text: term.text, corrections });
  }
  return misspellings;
}

/**
 * Chooses the correction of each misspelled word, one after the other: the best that agents have beside the other words.
 * @param leftOut the unknown words, which match nothing, each with an empty text in its place
 */
async function chooseCorrections(
  index: TokenReader,
  {
    text,
    leftOut,
    misspellings,
  }: { text: string; leftOut: ReadonlyMap<string, string>; misspellings: readonly Misspelling[] },
): Promise<Map<string, string>> {
  const chosen = new Map<string, string>();
  let checksLeft: number = ranking.maxCorrectionChecks;
  for (const { text: misspelled, corrections } of misspellings) {
    let found: string | undefined;
    for (const { word } of corrections) {
      const read = readQuery(replaceWords(text, new Map([...leftOut, ...chosen, [misspelled, word]])));
      if (!read || checksLeft === 0) continue;
      checksLeft -= 1;
      const [agent] = await index.match(matchAnywhere(read, 'prefix'), { limit: 1 });
      if (agent === undefined) continue;
      found = word;
      break;
    }
    // Without such an agent, a word with two edits is likely another one.
    const best = found ?? (await findListed(index, corrections));
    if (best === undefined) continue;
    chosen.set(misspelled, best);
    // No agent has all of these words, so none has more of them.
    if (found === undefined) checksLeft = 0;
  }
  return chosen;
}

/** The best correction with one edit that an agent has: the vocabulary also has words of agents that were removed. */
async function findListed(index: TokenReader, corrections: readonly Correction[]): Promise<string | undefined> {
  for (const { word, edits } of corrections) {
    if (edits !== 1) continue;
    const [agent] = await index.match({ token: word, isPrefix: false }, { limit: 1 });
    if (agent !== undefined) return word;
  }
  return undefined;
}
