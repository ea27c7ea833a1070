import { toNameBeginning, toNameTokens } from './agent-tokens.ts';
import type { Chunk } from './analyze.ts';
import { addTranslations, cutRun } from './forms.ts';
import { isEnglish, isLight, type Language } from './languages.ts';
import { ranking } from './ranking.ts';
import type { QueryTerm, SearchQuery } from './read-query.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A word, or the words of a phrase, that stand for a term of a query. */
export type Alternative = {
  /** The place of the term. */
  term: number;
  words: readonly string[];
  kind: 'typed' | keyof typeof ranking.formWeights;
  weight: number;
  /** Whether it is text without blanks. */
  isRun: boolean;
};

/** What agents are scored by: the words of a query as data. */
export type Scoring = {
  /** The terms, of text without blanks its words, with how many agents have each in any form, as far as is known. */
  terms: readonly { term: QueryTerm; weight: number; agents: number }[];
  byWord: ReadonlyMap<string, readonly Alternative[]>;
  /** The first letters of these words and of the unfinished one. */
  letters: string;
  /** The unfinished last word. */
  beginning: Alternative | undefined;
  /** Words of text without blanks, which are found anywhere. */
  runs: readonly Alternative[];
  /** Whether the text is a common word: a name of it alone is no reason to be first. */
  isCommon: boolean;
  /** The tokens of a name that is the text, and the token that names begin with. */
  names: { exact: readonly string[]; beginning: string } | undefined;
  /** The number of all agents, as far as it is known. */
  agents: number;
};

/** Makes the data that agents are scored by; without a vocabulary no word is known to be rare. */
export function createScoring(
  query: SearchQuery,
  { vocabulary, hasSynonyms, agents }: { vocabulary?: Vocabulary | undefined; hasSynonyms: boolean; agents: number },
): Scoring {
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
  const name = correctName(query);
  return {
    terms: found.map(({ term }) => weigh(term, vocabulary)),
    byWord,
    letters: [...byWord.keys(), prefix ?? ''].map((word) => word.charAt(0)).join(''),
    beginning:
      prefix === undefined
        ? undefined
        : { term: last, words: [prefix], kind: 'prefix', weight: ranking.formWeights.prefix, isRun: false },
    runs: alternatives.filter(({ isRun }) => isRun),
    isCommon: only !== undefined && isCommon(only.term.text, vocabulary),
    names:
      query.name.length === 0
        ? undefined
        : { exact: [query.name, name].flatMap(toNameTokens), beginning: toNameBeginning(name) },
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

function weigh(term: QueryTerm, vocabulary: Vocabulary | undefined): Scoring['terms'][number] {
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

/** The words that stand for a term. */
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
