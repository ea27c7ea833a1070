import { editDistance } from './edit-distance.ts';
import { lacksMoreLetters, toLetterBits } from './letter-bits.ts';
import { ranking } from './ranking.ts';
import type { Correction, QueryTerm } from './read-query.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Whether a term may be misspelled: agents use it in no form, and it is long enough for an edit. */
export function mayBeMisspelled({ text, isRun, isLast, forms }: QueryTerm, vocabulary: Vocabulary): boolean {
  if (isRun || text.length < ranking.minLengthForEdits.one) return false;
  const isKnown = vocabulary.countAgents(text) > 0 || forms.stem.length > 0 || forms.synonym.length > 0;
  return !isKnown && !(isLast && vocabulary.hasPrefix(text));
}

/** The words that a misspelled one may stand for, with as many edits as its length permits, the best first. */
export function findCorrections(misspelled: string, vocabulary: Vocabulary): Correction[] {
  const maxEdits = misspelled.length < ranking.minLengthForEdits.two ? 1 : 2;
  return findSimilar(misspelled, vocabulary, maxEdits).slice(0, ranking.maxCorrections);
}

/**
 * The words within `maxEdits` wrong, missing, extra or swapped letters: fewest edits first, then words with the same
 * first letter, then words of more agents.
 * @param text of at least four letters per edit
 */
export function findSimilar(text: string, vocabulary: Vocabulary, maxEdits: number): Correction[] {
  const found: Correction[] = [];
  const ownLetters = toLetterBits(text);
  for (const { words, letters } of vocabulary.ofLengths(text.length - maxEdits, text.length + maxEdits)) {
    for (const [index, word] of words.entries()) {
      // One edit removes at most one letter and adds at most one.
      const other = letters[index] as number;
      if (lacksMoreLetters(ownLetters, other, maxEdits) || lacksMoreLetters(other, ownLetters, maxEdits)) continue;
      const edits = editDistance(text, word, maxEdits);
      if (edits > 0 && edits <= maxEdits) found.push({ word, edits });
    }
  }
  const startsOtherwise = ({ word }: Correction) => Number(word[0] !== text[0]);
  return found.toSorted(
    (a, b) =>
      a.edits - b.edits ||
      startsOtherwise(a) - startsOtherwise(b) ||
      vocabulary.countAgents(b.word) - vocabulary.countAgents(a.word) ||
      (a.word < b.word ? -1 : 1),
  );
}
