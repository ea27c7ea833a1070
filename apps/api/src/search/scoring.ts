import { addTranslations, cutRun } from './forms.ts';
import { toNameBeginning, toNameTokens } from './agent-tokens.ts';
import type { Chunk } from './analyze.ts';
import { ranking } from './ranking.ts';
import type { QueryTerm, SearchQuery } from './read-query.ts';
import { isEnglish, isLight, type Language } from './languages.ts';
import type { Vocabulary } from './vocabulary.ts';

/** How a word stands for a term. */
export type Kind = 'typed' | keyof typeof ranking.formWeights;

/** A word, or the words of a phrase, that stand for a term of a query. */
export type Alternative = {
  term: number;
  words: readonly string[];
  kind: Kind;
  weight: number;
  /** Whether it is text without blanks. */
  isRun: boolean;
};

/** What agents are scored by: the words of a query as data. */
export type Scoring = {
  terms: readonly ScoredTerm[];
  byWord: ReadonlyMap<string, readonly Alternative[]>;
  /** The unfinished last word. */
  beginning: Alternative | undefined;
  /** Words of text without blanks, which are found anywhere. */
  runs: readonly Alternative[];
  /** Whether the text is a common word: a name of it alone is no reason to be first. */
  isCommon: boolean;
  /** The tokens of a name that is the text, and the token that names begin with. */
  names: { exact: readonly string[]; beginning: string } | undefined;
};

/** A term of a query, or a word of its text without blanks. */
type ScoredTerm = {
  term: QueryTerm;
  /** A share below 1 if it says little. */
  weight: number;
  agents: number;
};

/** Makes the scoring of a query. Synonyms of pieces of a text without blanks count only if `hasSynonyms`. */
export function createScoring(
  query: SearchQuery,
  { vocabulary, hasSynonyms = true }: { vocabulary?: Vocabulary | undefined; hasSynonyms?: boolean },
): Scoring {
  const terms: ScoredTerm[] = [];
  const alternatives: Alternative[] = [];
  const runs: Alternative[] = [];
  let beginning: Alternative | undefined;
  const add = (term: QueryTerm, joined?: QueryTerm) => {
    const at = terms.length;
    const kinds = listKinds(term, query.language);
    const words = [term.text, ...term.forms.stem, ...term.forms.synonym.filter(({ length }) => length === 1).flat()];
    terms.push({
      term,
      weight: [term.text, ...(term.forms.synonym[0] ?? [])].some(isLight) ? ranking.lightWeight : 1,
      agents: Math.max(...words.map((word) => vocabulary?.countAgents(word) ?? 0)),
    });
    if (term.isRun) runs.push(...kinds.filter(({ isRun }) => isRun).map((own) => ({ ...own, term: at })));
    else if (term.isLast) {
      beginning = { term: at, words: [term.text], kind: 'prefix', weight: ranking.formWeights.prefix, isRun: false };
    }
    const whole = joined ? listKinds(joined, query.language).filter(({ kind }) => kind !== 'infix') : [];
    alternatives.push(...[...kinds, ...whole].filter(({ isRun }) => !isRun).map((own) => ({ ...own, term: at })));
  };
  for (const chunk of query.chunks) {
    for (const term of cutTerms(chunk.terms)) {
      add(term.isRun && hasSynonyms ? addTranslations(term) : term, chunk.joined);
    }
  }
  const byWord = new Map<string, Alternative[]>();
  for (const alternative of alternatives) {
    const [first = ''] = alternative.words;
    byWord.set(first, [...(byWord.get(first) ?? []), alternative]);
  }
  const isCommon = query.name.length === 1 && isCommonWord(terms, vocabulary);
  const name = correctName(query);
  const names =
    query.name.length === 0
      ? undefined
      : { exact: [query.name, name].flatMap(toNameTokens), beginning: toNameBeginning(name) };
  return { terms, byWord, beginning, runs, isCommon, names };
}

/** Terms, and of text without blanks its first words, each once: a pasted one has hundreds. */
function cutTerms(terms: readonly QueryTerm[]): QueryTerm[] {
  return terms.flatMap((term) => {
    const pieces = new Map(cutRun(term).map((piece) => [piece.text, piece]));
    return [...pieces.values()].slice(0, ranking.maxPieces);
  });
}

/** The text of a query with the nearest correction of each misspelled word. */
function correctName({ name, chunks }: SearchQuery): readonly Chunk[] {
  const corrections = new Map(
    chunks.flatMap(({ terms }) => terms.map(({ text, forms }) => [text, forms.correction[0]?.word ?? text])),
  );
  return name.map((chunk) => ({
    ...chunk,
    terms: chunk.terms.map((term) => ({ ...term, text: corrections.get(term.text) ?? term.text })),
  }));
}

/** The words that stand for a term. */
function listKinds({ text, isRun, forms }: QueryTerm, language: Language): Omit<Alternative, 'term'>[] {
  const weights = ranking.formWeights;
  const single = (kind: 'stem' | 'infix', words: readonly string[]) =>
    words.map((word) => ({ words: [word], kind, weight: weights[kind], isRun: false }));
  return [
    ...[text, ...(isRun ? forms.stem : [])].map((word) => ({
      words: [word],
      kind: 'typed' as const,
      weight: 1,
      isRun,
    })),
    ...(isRun ? [] : single('stem', forms.stem)),
    ...forms.synonym.map((words) => ({ words, kind: 'synonym' as const, weight: weights.synonym, isRun: false })),
    ...single('infix', forms.infix),
    // The first ones are the nearest.
    ...forms.correction.map(({ word, edits }, at) => ({
      words: [word],
      kind: 'correction' as const,
      weight:
        forms.correction.length === 1 && isEnglish(language)
          ? ranking.onlyCorrectionWeight
          : weights.correction / edits / (1 + at / 2),
      isRun: false,
    })),
  ];
}

/** Whether a query is one word that many agents use, so that a name of it tells nothing. */
function isCommonWord([term, ...others]: readonly ScoredTerm[], vocabulary: Vocabulary | undefined): boolean {
  if (!term || !vocabulary || others.length > 0) return false;
  const { agents } = vocabulary;
  return agents >= ranking.commonAmong && vocabulary.countAgents(term.term.text) > ranking.commonShare * agents;
}
