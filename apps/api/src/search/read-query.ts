import { fold, type OperatorField, type ParsedText, parseText, WORD_PATTERN } from '@agent-registry/contracts';
import { sify, tify } from 'chinese-conv';
import { levels, toFieldToken, toHostToken, toWindows, WINDOW, all, any, type TokenQuery } from './agent-tokens.ts';
import { analyze, analyzeSigns, type Chunk, cut } from './analyze.ts';
import { chooseLanguage, ENGLISH, type Language, isParticle, removeContractions, removeEnding } from './languages.ts';
import { ranking } from './ranking.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A parsed query: every chunk must occur. */
export type SearchQuery = {
  /** The whole text, to compare with names. */
  name: readonly Chunk[];
  /** The chunks that must occur; the last one is a prefix. */
  chunks: readonly QueryChunk[];
  restriction: Restriction;
  language: Language;
};

export type QueryChunk = {
  terms: readonly QueryTerm[];
  /** The terms as one word, if there are several. */
  joined: QueryTerm | undefined;
};

/** A term of a chunk, with other words that match it too. */
export type QueryTerm = {
  text: string;
  isRun: boolean;
  /** Whether it is the last term and may be unfinished: not a word of many agents. */
  isLast: boolean;
  forms: Forms;
};

/** Words that match a term, from close to far. */
export type Forms = {
  /** Words with the same stem; of a run, the run in the other Chinese script, or without a Korean ending. */
  stem: readonly string[];
  /** Words, and phrases of several words, that mean the same. */
  synonym: readonly (readonly string[])[];
  /** Words that contain it, except words that already match as the word itself or by prefix. */
  infix: readonly string[];
  /** Words that it may stand for if it is misspelled, so many edits from it, the nearest first. */
  correction: readonly { word: string; edits: number }[];
};

export const NO_FORMS: Forms = { stem: [], synonym: [], infix: [], correction: [] };

export const NO_QUERY: SearchQuery = {
  name: [],
  chunks: [],
  restriction: { within: [], without: [] },
  language: ENGLISH,
};

const WORDS = new RegExp(WORD_PATTERN, 'gu');

/**
 * Parses a query; undefined if it has neither words nor fields.
 * @param vocabulary the words of agents, by which a long text is cut to its most telling words and a last word of many agents
 *   counts as finished; without it, a text is cut to its first words
 */
export function readQuery(text: string, vocabulary?: Vocabulary): SearchQuery | undefined {
  const parsed = parseText(text);
  const restriction = toRestriction(parsed);
  const words = analyze(parsed.words);
  const name = words.length > 0 ? words : analyzeSigns(parsed.words);
  if (name.length === 0) {
    return restriction.within.length > 0 ? { ...NO_QUERY, restriction } : undefined;
  }
  // Names are compared with all of the text: they may have a contraction, such as L'Oréal.
  const contracted = analyze(removeContractions(parsed.words));
  const spoken = contracted.length > 0 ? contracted : name;
  const different = [...new Map(spoken.map((chunk) => [toText(chunk), chunk])).values()];
  const language = chooseLanguage(different.map((chunk) => cut(toText(chunk))));
  const telling = different.filter((chunk) => !language.stopWords.has(toText(chunk)) && !isParticle(toText(chunk)));
  const counting = takeTerms(chooseTelling(telling.length > 0 ? telling : different, vocabulary));
  const typedLast = toText(spoken[spoken.length - 1] as Chunk);
  const last = counting.find((chunk) => toText(chunk) === typedLast) ?? counting.at(-1);
  const chunks = counting.map((chunk): QueryChunk => {
    const { terms, joined } = chunk;
    const isLast = (at: number) => chunk === last && at === terms.length - 1;
    return {
      terms: terms.map((term, at) => toQueryTerm(term, isLast(at), vocabulary)),
      joined:
        joined === undefined ? undefined : toQueryTerm({ text: joined, isRun: false }, chunk === last, vocabulary),
    };
  });
  return { name, chunks, restriction, language };
}

/** The terms of a query, those that chunks are joined to included. */
export function listTerms({ chunks }: Pick<SearchQuery, 'chunks'>): QueryTerm[] {
  return chunks.flatMap(({ terms, joined }) => (joined ? [...terms, joined] : terms));
}

/** The text of a query with other words for some of its words; signs and all other words stay as they were typed. */
export function replaceWords(text: string, replacements: ReadonlyMap<string, string>): string {
  return text.replaceAll(WORDS, (word) => replacements.get(fold(word)) ?? word);
}

function toQueryTerm({ text, isRun }: { text: string; isRun: boolean }, isLast: boolean, vocabulary?: Vocabulary) {
  const stem = isRun ? [sify(text), tify(text), removeEnding(text)].filter((run) => run !== text) : [];
  const isUnfinished = isLast && (vocabulary?.countAgents(text) ?? 0) <= ranking.maxUnfinished;
  return { text, isRun, isLast: isUnfinished, forms: { ...NO_FORMS, stem } };
}

/** Whether a text may have more words than count, so that its most telling words are chosen. */
export function isLong(text: string): boolean {
  return text.split(/\s+/u).length > ranking.maxTerms;
}

/** The chunks with the rarest words that agents use, in their order; words that no agent uses are left out first. */
function chooseTelling(chunks: readonly Chunk[], vocabulary: Vocabulary | undefined): readonly Chunk[] {
  if (!vocabulary || chunks.length <= ranking.maxTerms) return chunks;
  const countAgents = ({ terms, joined = '' }: Chunk) => {
    const counts = [...terms.map(({ text }) => text), joined].map((word) => vocabulary.countAgents(word));
    // The vocabulary has no words of texts without blanks.
    return terms.some(({ isRun }) => isRun) ? 1 : Math.min(...counts.filter((count) => count > 0), Number.MAX_VALUE);
  };
  const chosen = new Set(chunks.toSorted((a, b) => countAgents(a) - countAgents(b)).slice(0, ranking.maxTerms));
  return chunks.filter((chunk) => chosen.has(chunk));
}

/** The first chunks, with `ranking.maxTerms` different terms in all. */
function takeTerms(chunks: readonly Chunk[]): Chunk[] {
  let left: number = ranking.maxTerms;
  return chunks.flatMap(({ terms, joined }) => {
    const different = terms.filter(({ text }, place) => terms.findLastIndex((term) => term.text === text) === place);
    const taken = different.slice(0, left);
    left -= taken.length;
    return taken.length > 0 ? [{ terms: taken, joined: taken.length < different.length ? undefined : joined }] : [];
  });
}

function toText({ terms }: Chunk): string {
  return terms.map(({ text }) => text).join('_');
}

/** What the operators of a search demand of every result: queries that must all match, and of which none may. */
type Restriction = { within: readonly TokenQuery[]; without: readonly TokenQuery[] };

/** Makes the restriction of a text. Excluded words must not occur in any field. */
export function toRestriction({ phrases, excluded, conditions }: ParsedText): Restriction {
  const matchCondition = ({ field, values }: ParsedText['conditions'][number]) => {
    const ways = values.slice(0, ranking.maxValues).flatMap((value) => matchField(field, value) ?? []);
    return ways.length > 0 ? [any(ways)] : [];
  };
  return {
    within: [
      ...phrases.flatMap((phrase) => matchWords(phrase, levels.description) ?? []),
      ...conditions.flatMap(matchCondition),
    ],
    without: excluded.flatMap((text) => matchWords(text, levels.description, { hasPlural: true }) ?? []),
  };
}

/** A query for the results of another one that a restriction leaves. */
export function restrict(query: TokenQuery, { within, without }: Restriction): TokenQuery {
  const kept = within.length > 0 ? { all: [query, ...within] } : query;
  return without.length > 0 ? { find: kept, without: any(without) } : kept;
}

function matchField(field: OperatorField, value: string): TokenQuery | undefined {
  if (field === 'like') return undefined;
  if (field === 'name') return matchWords(value, levels.name);
  if (field === 'capability') return matchWords(value, toFieldToken('capability', ''));
  const token = field === 'by' ? toHostToken(value) : toFieldToken(field === 'api' ? 'apiAccess' : field, value);
  return { token, isPrefix: false };
}

/** The query for the agents with all words of a text; undefined without words. */
function matchWords(text: string, level: string, { hasPlural = false } = {}): TokenQuery | undefined {
  const terms = analyze(text).flatMap((chunk) => chunk.terms);
  const queries = terms.slice(0, ranking.maxTerms).map(({ text: word, isRun }): TokenQuery => {
    if (!isRun) return any([word, ...(hasPlural ? otherNumber(word) : [])].map((form) => toToken(level + form)));
    const windows = toWindows(word).filter((window, at) => at === 0 || Array.from(window).length === WINDOW);
    return all(windows.slice(0, ranking.maxTerms).map((window) => ({ token: level + window, isPrefix: true })));
  });
  return queries.length > 0 ? all(queries) : undefined;
}

/** The plural of an English singular, and the singular of a plural. */
function otherNumber(word: string): string[] {
  if (!/^[a-z]{3,}$/.test(word)) return [];
  return word.endsWith('s') ? [word.slice(0, -1)] : [`${word}s`];
}

const toToken = (token: string): TokenQuery => ({ token, isPrefix: false });
