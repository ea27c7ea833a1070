import type { TokenQuery } from './token-index.ts';
import { levels, toNameBeginning, toNameToken, toWindows, WINDOW, type Level } from './agent-tokens.ts';
import type { Chunk } from './analyze.ts';
import type { SimilarTerm } from './vocabulary.ts';

/** A parsed search: every chunk must occur. */
export type SearchQuery = {
  /** The whole text, to compare with names. */
  name: readonly Chunk[];
  /** The chunks that must occur; the last one is a prefix. */
  chunks: readonly QueryChunk[];
};

/** A chunk of a search. */
export type QueryChunk = {
  parts: readonly QueryPart[];
  /** The parts as one word, if there are several. */
  joined: QueryPart | undefined;
};

/** A word of a chunk, with the words of the vocabulary that match it too. */
export type QueryPart = {
  text: string;
  isRun: boolean;
  subwords: readonly string[];
  /** Whether it is the last word, which may be unfinished. */
  isLast: boolean;
  /** Words that contain it, except words that already match as the word itself or by prefix. */
  containing: readonly string[];
  /** Words that it may be a misspelling of. */
  similar: readonly SimilarTerm[];
};

/** A group of results of the same rank. */
export type Tier = {
  query: TokenQuery;
  /** The same query without the results of earlier tiers. */
  queryForRest: TokenQuery;
  /** Whether its results include those of all earlier tiers. */
  includesEarlier: boolean;
  /** Whether it matches words that contain a word of the search, or are similar to one. */
  isLoose: boolean;
  /** Whether it matches corrections. */
  isCorrected: boolean;
};

/** How a word may match: whole, as a prefix if it is the last, within words, or with one or two edits. */
type Reach = 'whole' | 'prefix' | 'part' | 1 | 2;

/** The query for all results of a search. */
export function matchAnywhere(query: SearchQuery): TokenQuery {
  return matchAll(query, levels.description, 2);
}

/** The tiers of a search, best first; within a tier the latest agent comes first. */
export function toTiers(query: SearchQuery): Tier[] {
  const tiers: Tier[] = [];
  // The queries of all tiers so far.
  let found: TokenQuery[] = [];
  const add = (next: TokenQuery, { includesEarlier = false, isLoose = false, isCorrected = false } = {}) => {
    const queryForRest = found.length > 0 ? { find: next, without: any(found) } : next;
    tiers.push({ query: next, queryForRest, includesEarlier, isLoose, isCorrected });
    found = includesEarlier ? [next] : [...found, next];
  };
  const parts = query.chunks.flatMap(({ parts: apart, joined }) => (joined ? [...apart, joined] : apart));

  add({ token: toNameToken(query.name), isPrefix: false });
  add({ token: toNameBeginning(query.name), isPrefix: true });
  for (const level of Object.values(levels)) {
    if (level === levels.description && query.chunks.length > 1) add(matchSomeInName(query));
    // A run has no word ends, so it cannot match as a whole word.
    if (!parts.some(({ isRun, isLast }) => isRun && isLast)) add(matchAll(query, level, 'whole'));
    add(matchAll(query, level, 'prefix'), { includesEarlier: true });
  }
  if (parts.some(({ containing }) => containing.length > 0)) addLoose('part');
  for (const edits of [1, 2] as const) {
    if (parts.some(({ similar }) => similar.some((term) => term.edits === edits))) addLoose(edits);
  }
  return tiers;

  function addLoose(reach: Reach): void {
    for (const level of [levels.name, levels.description]) {
      add(matchAll(query, level, reach), { isLoose: true, isCorrected: reach !== 'part' });
    }
  }
}

/** All words, at least one of them in the name. */
function matchSomeInName(query: SearchQuery): TokenQuery {
  const inName = query.chunks.map((chunk) => matchChunk(chunk, levels.name, 'prefix'));
  return { all: [matchAll(query, levels.description, 'prefix'), any(inName)] };
}

function matchAll(query: SearchQuery, level: Level, reach: Reach): TokenQuery {
  return all(query.chunks.map((chunk) => matchChunk(chunk, level, reach)));
}

function matchChunk({ parts, joined }: QueryChunk, level: Level, reach: Reach): TokenQuery {
  const inParts = all(parts.map((part) => matchPart(part, level, reach)));
  return joined ? any([matchPart(joined, level, reach), inParts]) : inParts;
}

function matchPart(part: QueryPart, level: Level, reach: Reach): TokenQuery {
  if (part.isRun) return matchRun(part.text, level);
  const isPrefix = part.isLast && reach !== 'whole';
  const ways: TokenQuery[] = [{ token: level + part.text, isPrefix }];
  if (part.subwords.length > 0) {
    const last = part.subwords.length - 1;
    ways.push(all(part.subwords.map((word, index) => ({ token: level + word, isPrefix: isPrefix && index === last }))));
  }
  const words = [
    ...(reach === 'whole' || reach === 'prefix' ? [] : part.containing),
    ...part.similar.filter(({ edits }) => typeof reach === 'number' && edits <= reach).map(({ term }) => term),
  ];
  return any([...ways, ...words.map((word) => ({ token: level + word, isPrefix: false }))]);
}

// Each piece of a run is a window or the prefix of one.
function matchRun(run: string, level: Level): TokenQuery {
  const windows = toWindows(run).filter((window, index) => index === 0 || Array.from(window).length === WINDOW);
  return all(windows.map((window) => ({ token: level + window, isPrefix: true })));
}

function all(queries: readonly TokenQuery[]): TokenQuery {
  return queries.length === 1 ? (queries[0] as TokenQuery) : { all: queries };
}

function any(queries: readonly TokenQuery[]): TokenQuery {
  return queries.length === 1 ? (queries[0] as TokenQuery) : { any: queries };
}
