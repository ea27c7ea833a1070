import { MAX_SEARCH_LENGTH } from '@agent-registry/contracts';
import { sify } from 'chinese-conv';
import { setImmediate } from 'node:timers/promises';
import { findSynonyms, findTranslations, isParticle, isSameWord, type Language } from './languages.ts';
import { ranking } from './ranking.ts';
import { type Forms, NO_FORMS, type QueryChunk, type QueryTerm, type SearchQuery } from './read-query.ts';
import { toLetterBits, type Vocabulary } from './vocabulary.ts';
import { isEnglishWord } from './words/english.ts';

/** Widens a query: adds the other forms of its terms, by default with synonyms. */
export async function addForms(query: SearchQuery, vocabulary: Vocabulary, { hasSynonyms = true } = {}) {
  const hasInfixes = query.chunks.length <= ranking.maxChunksToVary;
  const forms = new Map<string, Forms>();
  return changeTerms(query, (term) => {
    if (term.isRun) return hasSynonyms ? addTranslations(term) : term;
    const known = forms.get(term.text) ?? findForms(term, query.language, vocabulary, { hasSynonyms, hasInfixes });
    forms.set(term.text, known);
    return { ...term, forms: known };
  });
}

/**
 * Adds words to the terms that no agent uses: to an English one those derived from it, such as `argument` to `argues`, to
 * others those that they may be slips of. Returns how many slips were looked up, too.
 */
export async function addCorrections(query: SearchQuery, vocabulary: Vocabulary) {
  const terms = query.chunks.flatMap((chunk) => chunk.terms);
  const unknown = terms.filter((term) => mayBeMisspelled(term, vocabulary));
  if (unknown.length === 0) return { corrected: query, unknownTerms: 0 };
  const slips = unknown.filter(({ text }) => !isEnglishWord(text)).slice(0, ranking.maxCorrectedTerms);
  const corrected = await changeTerms(query, (term) => {
    const { text, forms } = term;
    if (slips.includes(term)) return { ...term, forms: { ...forms, correction: findCorrections(text, vocabulary) } };
    if (!unknown.includes(term) || !isEnglishWord(text)) return term;
    const beginning = query.language.stem(text);
    if (beginning.length < ranking.minStemmedLength) return term;
    const derived = vocabulary.findInflections(text, (word) => word.startsWith(beginning), ranking.maxStemForms);
    return { ...term, forms: { ...forms, infix: [...forms.infix, ...derived] } };
  });
  return { corrected, unknownTerms: slips.length };
}

async function changeTerms(query: SearchQuery, change: (term: QueryTerm) => QueryTerm): Promise<SearchQuery> {
  const changeNext = async (term: QueryTerm): Promise<QueryTerm> => {
    // A lookup can take milliseconds, so the event loop gets its turn between two terms.
    await setImmediate();
    return change(term);
  };
  const chunks: QueryChunk[] = [];
  for (const { terms, joined } of query.chunks) {
    const changed: QueryTerm[] = [];
    for (const term of terms) changed.push(await changeNext(term));
    chunks.push({ terms: changed, joined: joined && (await changeNext(joined)) });
  }
  return { ...query, chunks };
}

/** Adds the English words for a text without blanks, or for the text without its ending. */
export function addTranslations(term: QueryTerm): QueryTerm {
  const { text, forms } = term;
  return {
    ...term,
    forms: { ...forms, synonym: [...new Set([text, sify(text), ...forms.stem])].flatMap(findTranslations) },
  };
}

function findForms(
  { text, isLast }: QueryTerm,
  language: Language,
  vocabulary: Vocabulary,
  { hasSynonyms, hasInfixes }: { hasSynonyms: boolean; hasInfixes: boolean },
): Forms {
  // What no agent uses may only look like the noun of a doer.
  const known = vocabulary.countAgents(text) > 0 ? language : { stem: language.stem, doer: undefined };
  const stem =
    text.length < ranking.minStemmedLength
      ? []
      : vocabulary.findInflections(text, (word) => isSameWord(text, word, known), ranking.maxStemForms);
  const synonym = hasSynonyms ? [...findSynonyms(text), ...translate(text, language, vocabulary)] : [];
  if (!hasInfixes || text.length < ranking.minInfixLength) return { ...NO_FORMS, stem, synonym };
  const infix = vocabulary
    .findContaining(text, ranking.maxInfixForms)
    .filter((word) => word !== text && !stem.includes(word) && !(isLast && word.startsWith(text)));
  return { ...NO_FORMS, stem, synonym, infix };
}

/** The English words for a word; those of an inflection only if no agent uses it, since "store" is like "storia". */
function translate(text: string, language: Language, vocabulary: Vocabulary): readonly (readonly string[])[] {
  const { nouns, stem } = language;
  const known = findTranslations(text);
  if (known.length > 0 || vocabulary.countAgents(text) > 0) return known;
  return nouns.get(stem(text)) ?? [];
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * The words of a text without blanks, which is searched in one piece otherwise; particles only if there are no others.
 * Other terms stay as they are.
 */
export function cutRun(term: QueryTerm): QueryTerm[] {
  if (!term.isRun) return [term];
  const pieces = Array.from(segmenter.segment(term.text), ({ segment }) => segment);
  const telling = pieces.filter((text) => !isParticle(text));
  const words = telling.length > 0 ? telling : pieces;
  return words.map((text) => ({ ...term, text, forms: pieces.length > 1 ? NO_FORMS : term.forms }));
}

/**
 * The words of a query that tell most, as many as a search text has room for. Of text without blanks, nouns of the field
 * come before longer pieces and single characters.
 */
export function listTellingWords({ chunks }: SearchQuery): string[] {
  const words = chunks.flatMap(({ terms }) => terms.flatMap(cutRun));
  const rank = ({ text, isRun }: (typeof words)[number]) =>
    !isRun || findTranslations(text).length > 0 ? 0 : Array.from(text).length > 1 ? 1 : 2;
  const telling = new Set(words.toSorted((a, b) => rank(a) - rank(b)).map(({ text }) => text));
  let left = MAX_SEARCH_LENGTH;
  return [...telling].slice(0, ranking.maxTerms).filter((word) => {
    left -= Array.from(word).length + 1;
    return left >= -1;
  });
}

/** Whether a term may be misspelled: agents use it in no form, and it is long enough for an edit. */
function mayBeMisspelled({ text, isRun, isLast, forms }: QueryTerm, vocabulary: Vocabulary): boolean {
  if (isRun || text.length < ranking.minLengthForEdits.one) return false;
  const isKnown = vocabulary.countAgents(text) > 0 || forms.stem.length > 0 || forms.synonym.length > 0;
  return !isKnown && !(isLast && vocabulary.hasPrefix(text));
}

/**
 * The words that a misspelled one may stand for, with one or two wrong, missing, extra or swapped letters: fewest edits
 * first, then words with the same first letter, then words of more agents.
 */
export function findCorrections(text: string, vocabulary: Vocabulary): Forms['correction'] {
  const maxEdits = text.length < ranking.minLengthForEdits.two ? 1 : 2;
  const found: { word: string; edits: number }[] = [];
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
  const startsOtherwise = (word: string) => Number(word[0] !== text[0]);
  const sorted = found.toSorted(
    (a, b) =>
      a.edits - b.edits ||
      startsOtherwise(a.word) - startsOtherwise(b.word) ||
      vocabulary.countAgents(b.word) - vocabulary.countAgents(a.word) ||
      (a.word < b.word ? -1 : 1),
  );
  return sorted.slice(0, ranking.maxCorrections);
}

/**
 * The edit distance of two words (optimal string alignment: replace, delete, insert, swap neighbours); some number above
 * `limit` if it is above. Libraries such as `fastest-levenshtein` count a swap, the most frequent slip, as two edits;
 * `damerau-levenshtein` has no limit and is several times slower.
 */
export function editDistance(from: string, to: string, limit: number): number {
  const tooMany = limit + 1;
  if (Math.abs(from.length - to.length) > limit) return tooMany;
  // Three rows of the distance table; cells farther from the diagonal than the limit exceed the limit.
  let [beforeLast, last, current]: [number[], number[], number[]] = [[], [], []];
  for (let column = 0; column <= to.length; column += 1) last.push(column);
  for (let row = 1; row <= from.length; row += 1) {
    const first = Math.max(1, row - limit);
    let least = (current[first - 1] = first === 1 ? row : tooMany);
    for (let column = first; column <= Math.min(to.length, row + limit); column += 1) {
      const isSame = from.charCodeAt(row - 1) === to.charCodeAt(column - 1);
      let edits = Math.min((last[column - 1] as number) + (isSame ? 0 : 1), (current[column - 1] as number) + 1);
      if (column < row + limit) edits = Math.min(edits, (last[column] as number) + 1);
      const isSwapped =
        from.charCodeAt(row - 1) === to.charCodeAt(column - 2) &&
        from.charCodeAt(row - 2) === to.charCodeAt(column - 1);
      if (isSwapped) edits = Math.min(edits, (beforeLast[column - 2] as number) + 1);
      current[column] = edits;
      least = Math.min(least, edits);
    }
    if (least > limit) return tooMany;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[to.length] as number;
}

/** Whether more than `count` letters (`toLetterBits`) of one word are not in the other. */
function lacksMoreLetters(letters: number, other: number, count: number): boolean {
  let left = letters & ~other;
  // Each step clears the lowest bit that is set.
  for (let step = 0; step < count; step += 1) left &= left - 1;
  return left !== 0;
}
