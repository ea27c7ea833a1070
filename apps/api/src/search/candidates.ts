import { fold, UNSPACED_SCRIPTS } from '@agent-registry/contracts';
import {
  levels,
  toNameBeginning,
  toNameTokens,
  toWindows,
  WINDOW,
  type Level,
  all,
  allButOne,
  any,
  type TokenQuery,
  type TokenReader,
} from './agent-tokens.ts';
import { ranking } from './ranking.ts';
import { restrict, type QueryChunk, type QueryTerm, type SearchQuery } from './read-query.ts';
import type { Scoring } from './scoring.ts';

/** How a term may match: as it was typed, the last one also as a beginning; as another form; or as a correction. Each includes those before it. */
type Reach = 'typed' | 'forms' | 'corrected';

/** A query with the number of its agents, and the latest of them (seqs), latest first. */
export type Found = { query: TokenQuery; total: number; seqs: readonly number[] };

/** A query that found no agent is not asked again. */
export const nothing: Found = { query: { any: [] }, total: 0, seqs: [] };

export async function find(index: TokenReader, query: TokenQuery): Promise<Found> {
  return { query, ...(await index.find(query, ranking.maxScored)) };
}

/**
 * The agents with all words that are scored: all of them, or if they are too many, those with the text as their name, with
 * the words in the name, in the capabilities, and the latest.
 * @param narrow adds the filters to a query
 */
export async function collectAll(
  index: TokenReader,
  { query, found, narrow }: { query: SearchQuery; found: Found; narrow: (query: TokenQuery) => TokenQuery },
): Promise<readonly number[]> {
  const { maxScored, maxNamed, maxByField } = ranking;
  if (found.total <= maxScored || query.chunks.length === 0) return found.seqs;
  const seqs = new Set(await index.match(narrow(matchNames(query)), { limit: maxNamed }));
  for (const level of [levels.name, levels.capabilities]) {
    const matches = await index.match(narrow(matchAll(query, 'typed', level)), { limit: maxByField });
    for (const seq of matches) seqs.add(seq);
  }
  return [...new Set([...seqs, ...found.seqs])].slice(0, maxScored);
}

/**
 * The candidates for agents with some words: those with one of the rare terms, with all terms but one, and with one as a
 * capability.
 * @param all the agents with all words, which are no candidates: many would leave no room for others
 */
export async function collectSome(
  index: TokenReader,
  query: SearchQuery,
  { terms: scored }: Scoring,
  { query: whole, total }: Found,
): Promise<number[]> {
  const { maxTerms, maxSome, maxScored, partialBelow } = ranking;
  const terms = scored.slice(0, maxTerms).toSorted((a, b) => b.weight - a.weight || a.agents - b.agents);
  const queries = terms.map(({ term }) => matchTerm(term, 'corrected'));
  let read = 0;
  const rare = queries.filter((_, at) => {
    read += Math.max(0, (terms[at]?.agents ?? 0) - total);
    return at === 0 || read <= maxSome;
  });
  const ways = [
    rare,
    queries.length > 2 ? [allButOne(queries)] : [],
    terms.map(({ term }) => matchTerm(term, 'forms', levels.capabilities)),
  ];
  const seqs = new Set<number>();
  for (const way of ways) {
    if (way.length === 0 || seqs.size >= maxScored) continue;
    const some = restrict(any(way), query.restriction);
    const found = await index.match(total < partialBelow ? some : { find: some, without: whole }, { limit: maxSome });
    for (const seq of found) seqs.add(seq);
  }
  return [...seqs].slice(0, maxScored);
}

const RUN_BORDERS = new RegExp(`(?<=[${UNSPACED_SCRIPTS}]) | (?=[${UNSPACED_SCRIPTS}])`, 'gu');

/** The agents among these that have every phrase word for word in one of their texts: the index has no positions. */
export async function checkPhrases(index: TokenReader, seqs: readonly number[], phrases: readonly string[]) {
  const wanted = phrases.map(toWords);
  const found = (await index.readTexts(seqs)).filter(({ name, capabilities, description }) => {
    const texts = [name, ...(JSON.parse(capabilities) as string[]), description].map(toWords);
    return wanted.every((phrase) => texts.some((text) => text.includes(phrase)));
  });
  return new Set(found.map(({ seq }) => seq));
}

/** The folded words of a text with a blank before, between and after them, but none beside text without blanks. */
function toWords(text: string): string {
  const words = fold(text).replaceAll(/[^\p{L}\p{N}+#]+/gu, ' ');
  return ` ${words.trim()} `.replaceAll(RUN_BORDERS, '');
}

/** The query for the agents that have every chunk of a query at a level and fulfil its restriction. */
export function matchAll(query: SearchQuery, reach: Reach, level: Level = levels.description): TokenQuery {
  const { chunks, restriction } = query;
  // A query without words demands only its fields.
  return chunks.length === 0
    ? restrict(all(restriction.within), { ...restriction, within: [] })
    : restrict(all(chunks.map((chunk) => matchChunk(chunk, reach, level))), restriction);
}

function matchNames({ name, restriction }: SearchQuery): TokenQuery {
  const exact = toNameTokens(name).map((token) => ({ token, isPrefix: false }));
  return restrict(any([...exact, { token: toNameBeginning(name), isPrefix: true }]), restriction);
}

function matchChunk({ terms, joined }: QueryChunk, reach: Reach, level: Level): TokenQuery {
  const apart = all(terms.map((term) => matchTerm(term, reach, level)));
  return joined ? any([matchTerm(joined, reach, level), apart]) : apart;
}

function matchTerm(term: QueryTerm, reach: Reach, level: Level = levels.description): TokenQuery {
  const word = (text: string): TokenQuery => ({ token: level + text, isPrefix: false });
  const { stem, synonym, infix, correction } = term.forms;
  const synonyms = reach === 'typed' ? [] : synonym.map((words) => all(words.map(word)));
  if (term.isRun) return any([...[term.text, ...stem].map((run) => matchRun(run, level)), ...synonyms]);
  return any([
    { token: level + term.text, isPrefix: term.isLast },
    ...(reach === 'typed' ? [] : [...stem, ...infix].map(word)),
    ...synonyms,
    ...(reach === 'corrected' ? correction.map(({ word: other }) => word(other)) : []),
  ]);
}

// Each piece of a run is a window or the prefix of one.
function matchRun(run: string, level: Level): TokenQuery {
  const pieces = toWindows(run).filter((window, index) => index === 0 || Array.from(window).length === WINDOW);
  const windows = [...new Set(pieces)].slice(0, ranking.maxWindows);
  return all(windows.map((window) => ({ token: level + window, isPrefix: true })));
}
