import { setImmediate } from 'node:timers/promises';
import { fold, MIN_INFIX_LENGTH, WORD_PATTERN } from '@agent-registry/contracts';
import { sify, tify } from 'chinese-conv';
import { isSubwordToken } from './agent-tokens.ts';
import { analyze, type Chunk, type Term } from './analyze.ts';
import { chooseStopWords } from './stop-words.ts';
import { findSynonyms } from './synonyms.ts';
import { NO_FORMS, type Forms, type QueryChunk, type QueryTerm, type SearchQuery } from './tiers.ts';
import type { SimilarTerm, Vocabulary } from './vocabulary.ts';

/** Most words of a search, and most words within one word; the rest is ignored. */
const MAX_WORDS = 10;
/** Searches with more words are not also read with neighbours as one word, nor with words that contain theirs. */
const MAX_WORDS_TO_VARY = 4;
/** Most words of the vocabulary that one infix matches. */
const MAX_CONTAINING = 64;
/** Most words with the same stem. */
const MAX_STEMS = 16;
/** Most corrections of a word; the nearest come first. */
const MAX_SIMILAR = 6;
/** The length from which a word may have one edit, and two. */
const MIN_LENGTH_FOR_EDITS = { one: 4, two: 8 };
/** Vocabulary words with the same stem begin with the same letters; shorter words have no other forms. */
const MIN_STEMMED_LENGTH = 4;

const WORDS = new RegExp(WORD_PATTERN, 'gu');

/** Parses a search; undefined if it has no words. */
export function readQuery(text: string): SearchQuery | undefined {
  const name = analyze(text);
  if (name.length === 0) return undefined;
  const different = [...new Map(name.map((chunk) => [toText(chunk), chunk])).values()];
  const stopWords = chooseStopWords(different.map(toText));
  const telling = different.filter((chunk) => !stopWords.has(toText(chunk)));
  const counting = takeWords(telling.length > 0 ? telling : different);
  const typedLast = toText(name[name.length - 1] as Chunk);
  const last = counting.find((chunk) => toText(chunk) === typedLast) ?? counting.at(-1);
  const chunks = counting.map((chunk): QueryChunk => {
    const { terms, joined } = chunk;
    return {
      terms: terms.map((term, index) => toQueryTerm(term, index === terms.length - 1 && chunk === last)),
      joined: joined === undefined ? undefined : toQueryTerm(toWordTerm(joined), chunk === last),
    };
  });
  const names = telling.length > 0 && telling.length < different.length ? [name, telling] : [name];
  return { names, chunks, joined: joinNeighbours(chunks) };
}

function toWordTerm(text: string): Term {
  return { text, isRun: false, subwords: [] };
}

function toQueryTerm(term: Term, isLast: boolean): QueryTerm {
  return {
    ...term,
    subwords: term.subwords.every(isSubwordToken) ? term.subwords.slice(0, MAX_WORDS) : [],
    isLast,
    // A run is also searched in the other Chinese script.
    forms: term.isRun
      ? { ...NO_FORMS, stem: [sify(term.text), tify(term.text)].filter((run) => run !== term.text) }
      : NO_FORMS,
  };
}

/** The first chunks, with `MAX_WORDS` different words in all. */
function takeWords(chunks: readonly Chunk[]): Chunk[] {
  let left = MAX_WORDS;
  return chunks.flatMap(({ terms, joined }) => {
    const different = terms.filter(({ text }, place) => terms.findLastIndex((term) => term.text === text) === place);
    const taken = different.slice(0, left);
    left -= taken.length;
    return taken.length > 0 ? [{ terms: taken, joined: taken.length < different.length ? undefined : joined }] : [];
  });
}

function joinNeighbours(chunks: readonly QueryChunk[]): QueryChunk[][] {
  if (chunks.length > MAX_WORDS_TO_VARY) return [];
  const ways: QueryChunk[][] = [];
  for (const count of [2, 3]) {
    for (let first = 0; first + count <= chunks.length; first += 1) {
      const neighbours = chunks.slice(first, first + count).flatMap(({ terms }) => terms);
      if (neighbours.some(({ isRun }) => isRun)) continue;
      const word = toWordTerm(neighbours.map(({ text }) => text).join(''));
      const chunk = { terms: [toQueryTerm(word, neighbours.at(-1)?.isLast === true)], joined: undefined };
      ways.push([...chunks.slice(0, first), chunk, ...chunks.slice(first + count)]);
    }
  }
  return ways;
}

/** Adds the other forms of the words of a search, by default with synonyms. */
export async function addForms(
  query: SearchQuery,
  vocabulary: Vocabulary,
  { hasSynonyms = true } = {},
): Promise<SearchQuery> {
  const hasInfixes = query.chunks.length <= MAX_WORDS_TO_VARY;
  const forms = new Map<string, Forms>();
  const addTo = async (term: QueryTerm): Promise<QueryTerm> => {
    if (term.isRun) return term;
    const known = forms.get(term.text) ?? (await findForms(term, vocabulary, { hasSynonyms, hasInfixes }));
    forms.set(term.text, known);
    return { ...term, forms: known };
  };
  const chunks: QueryChunk[] = [];
  for (const { terms, joined } of query.chunks) {
    const added: QueryTerm[] = [];
    for (const term of terms) added.push(await addTo(term));
    chunks.push({ terms: added, joined: joined && (await addTo(joined)) });
  }
  return { ...query, chunks, joined: joinNeighbours(chunks) };
}

async function findForms(
  { text, isLast }: QueryTerm,
  vocabulary: Vocabulary,
  { hasSynonyms, hasInfixes }: { hasSynonyms: boolean; hasInfixes: boolean },
): Promise<Forms> {
  // A lookup can take milliseconds, so the event loop gets its turn between two words.
  await setImmediate();
  const stem = text.length < MIN_STEMMED_LENGTH ? [] : vocabulary.findSameStem(text, MAX_STEMS);
  const synonym = hasSynonyms ? findSynonyms(text) : [];
  if (!hasInfixes || text.length < MIN_INFIX_LENGTH) return { stem, synonym, infix: [] };
  const taken = new Set([text, ...stem]);
  const infix = vocabulary
    .findContaining(text, MAX_CONTAINING)
    .filter((word) => !taken.has(word) && !(isLast && word.startsWith(text)));
  return { stem, synonym, infix };
}

/** A word that no agent uses, with the words that it may be a misspelling of, the best first. */
export type UnknownWord = { text: string; similar: readonly SimilarTerm[] };

/** The words of a search that agents do not use in any form, and that resemble words that agents use. */
export async function findUnknown(query: SearchQuery, vocabulary: Vocabulary): Promise<UnknownWord[]> {
  const unknown: UnknownWord[] = [];
  for (const { text, isRun, isLast, forms } of query.chunks.flatMap(({ terms }) => terms)) {
    if (isRun || text.length < MIN_LENGTH_FOR_EDITS.one) continue;
    const isKnown = vocabulary.countAgents(text) > 0 || forms.stem.length > 0 || forms.synonym.length > 0;
    if (isKnown || (isLast && vocabulary.hasPrefix(text))) continue;
    await setImmediate();
    const maxEdits = text.length < MIN_LENGTH_FOR_EDITS.two ? 1 : 2;
    const similar = vocabulary.findSimilar(text, maxEdits, MAX_SIMILAR);
    if (similar.length > 0) unknown.push({ text, similar });
  }
  return unknown;
}

/** The text of a search with other words for some of its words; signs and all other words stay as they were typed. */
export function replaceWords(text: string, replacements: ReadonlyMap<string, string>): string {
  return text.replaceAll(WORDS, (word) => replacements.get(fold(word)) ?? word);
}

function toText({ terms }: Chunk): string {
  return terms.map(({ text }) => text).join('_');
}
