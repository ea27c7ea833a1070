import { setImmediate } from 'node:timers/promises';
import { addForms } from './add-forms.ts';
import { findCorrections, mayBeMisspelled, type Correction } from './find-corrections.ts';
import { ranking } from './ranking.ts';
import { readQuery, replaceWords, type SearchQuery } from './read-query.ts';
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
  const misspellings = await findMisspellings(query, vocabulary);
  const replacements = await chooseCorrections(index, text, misspellings);
  const corrected = replaceWords(text, replacements);
  const read = replacements.size > 0 ? readQuery(corrected) : undefined;
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

/** The misspelled words of a query that have corrections. */
async function findMisspellings({ chunks }: SearchQuery, vocabulary: Vocabulary): Promise<Misspelling[]> {
  const misspellings: Misspelling[] = [];
  for (const term of chunks.flatMap(({ terms }) => terms).filter((each) => mayBeMisspelled(each, vocabulary))) {
    // A lookup can take milliseconds, so the event loop gets its turn between two terms.
    await setImmediate();
    const corrections = findCorrections(term.text, vocabulary);
    if (corrections.length > 0) misspellings.push({ text: term.text, corrections });
  }
  return misspellings;
}

/** Chooses the correction of each misspelled word, one after the other: the best that agents have beside the other words. */
async function chooseCorrections(
  index: TokenReader,
  text: string,
  misspellings: readonly Misspelling[],
): Promise<Map<string, string>> {
  const chosen = new Map<string, string>();
  // Misspelled words match nothing, so those without a correction yet are left out.
  const leftOut = new Map(misspellings.map((misspelling) => [misspelling.text, '']));
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
    const best = found ?? corrections.find(({ edits }) => edits === 1)?.word;
    if (best === undefined) continue;
    chosen.set(misspelled, best);
    // No agent has all of these words, so none has more of them.
    if (found === undefined) checksLeft = 0;
  }
  return chosen;
}
