import { setImmediate } from 'node:timers/promises';
import { fold, MIN_PART_LENGTH, WORD_PATTERN } from '@agent-registry/contracts';
import { sify, tify } from 'chinese-conv';
import { isSubwordToken } from './agent-tokens.ts';
import { analyze, type Chunk, type Part } from './analyze.ts';
import { chooseStopWords } from './stop-words.ts';
import { findSynonyms } from './synonyms.ts';
import { NO_FORMS, type Forms, type QueryChunk, type QueryPart, type SearchQuery } from './tiers.ts';
import type { SimilarTerm, Vocabulary } from './vocabulary.ts';

/** Most words of a search, and most words within one word; the rest is ignored. */
const MAX_WORDS = 10;
/** Searches with more words are not also read with neighbours as one word, nor with words that contain theirs. */
const MAX_WORDS_TO_VARY = 4;
/** Most words of the vocabulary that one part of a word matches. */
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
    const { parts, joined } = chunk;
    return {
      parts: parts.map((part, index) => toQueryPart(part, index === parts.length - 1 && chunk === last)),
      joined: joined === undefined ? undefined : toQueryPart(toWordPart(joined), chunk === last),
    };
  });
  const names = telling.length > 0 && telling.length < different.length ? [name, telling] : [name];
  return { names, chunks, joined: joinNeighbours(chunks) };
}

function toWordPart(text: string): Part {
  return { text, isRun: false, subwords: [] };
}

function toQueryPart(part: Part, isLast: boolean): QueryPart {
  return {
    ...part,
    subwords: part.subwords.every(isSubwordToken) ? part.subwords.slice(0, MAX_WORDS) : [],
    isLast,
    // A run is also searched in the other Chinese script.
    forms: part.isRun
      ? { ...NO_FORMS, stem: [sify(part.text), tify(part.text)].filter((run) => run !== part.text) }
      : NO_FORMS,
  };
}

/** The first chunks, with `MAX_WORDS` different words in all. */
function takeWords(chunks: readonly Chunk[]): Chunk[] {
  let left = MAX_WORDS;
  return chunks.flatMap(({ parts, joined }) => {
    const different = parts.filter(({ text }, place) => parts.findLastIndex((part) => part.text === text) === place);
    const taken = different.slice(0, left);
    left -= taken.length;
    return taken.length > 0 ? [{ parts: taken, joined: taken.length < different.length ? undefined : joined }] : [];
  });
}

function joinNeighbours(chunks: readonly QueryChunk[]): QueryChunk[][] {
  if (chunks.length > MAX_WORDS_TO_VARY) return [];
  const ways: QueryChunk[][] = [];
  for (const count of [2, 3]) {
    for (let first = 0; first + count <= chunks.length; first += 1) {
      const neighbours = chunks.slice(first, first + count).flatMap(({ parts }) => parts);
      if (neighbours.some(({ isRun }) => isRun)) continue;
      const word = toWordPart(neighbours.map(({ text }) => text).join(''));
      const chunk = { parts: [toQueryPart(word, neighbours.at(-1)?.isLast === true)], joined: undefined };
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
  const hasParts = query.chunks.length <= MAX_WORDS_TO_VARY;
  const forms = new Map<string, Forms>();
  const addTo = async (part: QueryPart): Promise<QueryPart> => {
    if (part.isRun) return part;
    const known = forms.get(part.text) ?? (await findForms(part, vocabulary, { hasSynonyms, hasParts }));
    forms.set(part.text, known);
    return { ...part, forms: known };
  };
  const chunks: QueryChunk[] = [];
  for (const { parts, joined } of query.chunks) {
    const added: QueryPart[] = [];
    for (const part of parts) added.push(await addTo(part));
    chunks.push({ parts: added, joined: joined && (await addTo(joined)) });
  }
  return { ...query, chunks, joined: joinNeighbours(chunks) };
}

async function findForms(
  { text, isLast }: QueryPart,
  vocabulary: Vocabulary,
  { hasSynonyms, hasParts }: { hasSynonyms: boolean; hasParts: boolean },
): Promise<Forms> {
  // A lookup can take milliseconds, so the event loop gets its turn between two words.
  await setImmediate();
  const stem = text.length < MIN_STEMMED_LENGTH ? [] : vocabulary.findSameStem(text, MAX_STEMS);
  const synonym = hasSynonyms ? findSynonyms(text) : [];
  if (!hasParts || text.length < MIN_PART_LENGTH) return { stem, synonym, part: [] };
  const taken = new Set([text, ...stem]);
  const part = vocabulary
    .findContaining(text, MAX_CONTAINING)
    .filter((word) => !taken.has(word) && !(isLast && word.startsWith(text)));
  return { stem, synonym, part };
}

/** A word that no agent uses, with the words that it may be a misspelling of, the best first. */
export type UnknownWord = { text: string; similar: readonly SimilarTerm[] };

/** The words of a search that agents do not use in any form, and that resemble words that agents use. */
export async function findUnknown(query: SearchQuery, vocabulary: Vocabulary): Promise<UnknownWord[]> {
  const unknown: UnknownWord[] = [];
  for (const { text, isRun, isLast, forms } of query.chunks.flatMap(({ parts }) => parts)) {
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

function toText({ parts }: Chunk): string {
  return parts.map(({ text }) => text).join('_');
}
