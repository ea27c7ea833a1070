import { toNameBeginning, toNameTokens } from './agent-tokens.ts';
import type { Chunk } from './analyze.ts';
import { addTranslations, cutRun } from './forms.ts';
import { isEnglish, isLight, type Language } from './languages.ts';
import { ranking } from './ranking.ts';
import type { QueryTerm, SearchQuery } from './read-query.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A word, or the words of a phrase, that stand for a term of a query. */
export type Alternative = {
  term: number;
  words: readonly string[];
  kind: 'typed' | keyof typeof ranking.formWeights;
  weight: number;
  isRun: boolean;
};

export type Scoring = ReturnType<typeof createScoring>;

/** Makes the data that agents are scored by; without a vocabulary no word is known to be rare. */
export function createScoring(
  query: SearchQuery,
  { vocabulary, hasSynonyms, agents }: { vocabulary?: Vocabulary | undefined; hasSynonyms: boolean; agents: number },
) {
  const found = query.chunks.flatMap(({ terms, joined }) =>
    cutTerms(terms).map((term) => ({ term: term.isRun && hasSynonyms ? addTranslations(term) : term, joined })),
  );
  const alternatives = found.flatMap(({ term, joined }, at) => {
    const whole = joined ? listKinds(joined, query.language).filter(({ kind }) => kind !== 'infix') : [];
    return [...listKinds(term, query.language), ...whole].map((own) => ({ ...own, term: at }));
  });
  const byWord = Map.groupBy(
    alternatives.filter(({ isRun }) => !isRun),
    ({ words }) => words[0] ?? '',
  );
  const last = found.findLastIndex(({ term }) => term.isLast && !term.isRun);
  const prefix = found[last]?.term.text;
  const [only] = query.name.length === 1 && found.length === 1 ? found : [];
  const beginning: Alternative | undefined =
    prefix === undefined
      ? undefined
      : { term: last, words: [prefix], kind: 'prefix', weight: ranking.formWeights.prefix, isRun: false };
  const name = correctName(query);
  const exact = [query.name, name].flatMap(toNameTokens);
  return {
    terms: found.map(({ term }) => weigh(term, vocabulary)),
    byWord,
    /** The first letters of these words and of the unfinished one. */
    letters: [...byWord.keys(), prefix ?? ''].map((word) => word.charAt(0)).join(''),
    beginning,
    /** Words of text without blanks, which are found anywhere. */
    runs: alternatives.filter(({ isRun }) => isRun),
    /** A name of a common word alone is no reason to be first. */
    isCommon: only !== undefined && isCommon(only.term.text, vocabulary),
    names: query.name.length === 0 ? undefined : { exact, beginning: toNameBeginning(name) },
    agents,
  };
}

/** Terms, and of text without blanks its first words, each once: a pasted one has hundreds. */
function cutTerms(terms: readonly QueryTerm[]): QueryTerm[] {
  return terms.flatMap((term) => {
    const pieces = new Map(cutRun(term).map((piece) => [piece.text, piece]));
    return [...pieces.values()].slice(0, ranking.maxPieces);
  });
}

/** A term with how many agents have it in any form, as far as is known. */
function weigh(term: QueryTerm, vocabulary: Vocabulary | undefined) {
  const { stem, synonym } = term.forms;
  const words = [term.text, ...stem, ...synonym.filter(({ length }) => length === 1).flat()];
  return {
    term,
    weight: [term.text, ...(synonym[0] ?? [])].some(isLight) ? ranking.lightWeight : 1,
    agents: Math.max(...words.map((word) => vocabulary?.countAgents(word) ?? 0)),
  };
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

function listKinds({ text, isRun, forms }: QueryTerm, language: Language): Omit<Alternative, 'term'>[] {
  const weights = ranking.formWeights;
  const make = (kind: Alternative['kind'], words: readonly string[], weight: number, ofRun = false) => ({
    words,
    kind,
    weight,
    isRun: ofRun,
  });
  const isOnly = forms.correction.length === 1 && isEnglish(language);
  return [
    make('typed', [text], 1, isRun),
    ...forms.stem.map((word) => (isRun ? make('typed', [word], 1, true) : make('stem', [word], weights.stem))),
    ...forms.synonym.map((words) => make('synonym', words, weights.synonym)),
    ...forms.infix.map((word) => make('infix', [word], weights.infix)),
    // The first ones are the nearest.
    ...forms.correction.map(({ word, edits }, at) =>
      make('correction', [word], isOnly ? ranking.onlyCorrectionWeight : weights.correction / edits / (1 + at / 2)),
    ),
  ];
}

function isCommon(word: string, vocabulary: Vocabulary | undefined): boolean {
  const agents = vocabulary?.agents ?? 0;
  return agents >= ranking.commonAmong && (vocabulary?.countAgents(word) ?? 0) > ranking.commonShare * agents;
}
