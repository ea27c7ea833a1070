import type { TokenQuery } from '../db/engine.ts';
import { levels, toNameBeginning, toNameToken, toWindows, WINDOW, type Level } from './agent-tokens.ts';
import type { Chunk } from './analyze.ts';
import type { SimilarTerm } from './vocabulary.ts';

/** What is looked for: every chunk must occur. */
export type SearchQuery = {
  /** The whole text, as a name would be. */
  name: readonly Chunk[];
  /** The chunks that count; the last one may go on. */
  chunks: readonly QueryChunk[];
};

/** A chunk of a search. */
export type QueryChunk = {
  parts: readonly QueryPart[];
  /** The parts as one word, where they are more than one. */
  joined: QueryPart | undefined;
};

/** A word of a chunk, with the words of the vocabulary that it may stand for. */
export type QueryPart = {
  text: string;
  isRun: boolean;
  subwords: readonly string[];
  /** Whether it is the last, which the searcher may not have finished. */
  isLast: boolean;
  /** Words that hold it, but for those it is or, as the last part, begins. */
  containing: readonly string[];
  /** Words that it may be misspelled for. */
  similar: readonly SimilarTerm[];
};

/** A group of results that are equally good. */
export type Tier = {
  query: TokenQuery;
  /** The same without what earlier tiers find. */
  queryForRest: TokenQuery;
  /** Whether it finds all that earlier tiers find. */
  holdsEarlier: boolean;
  /** Whether it also looks for words that hold those of the search, or are similar. */
  isLoose: boolean;
  /** Whether what it finds was not written so in the search. */
  isCorrected: boolean;
};

/** How a word must occur: as it is, as a beginning if it is the last, anywhere within words, or with some letters wrong. */
type Reach = 'whole' | 'beginning' | 'part' | 1 | 2;

/** Finds all agents that match a search. */
export function matchAnywhere(query: SearchQuery): TokenQuery {
  return matchAll(query, levels.description, 2);
}

/** The order of results, best first; within a tier the latest agent comes first. */
export function toTiers(query: SearchQuery): Tier[] {
  const tiers: Tier[] = [];
  // What the tiers so far have found.
  let found: TokenQuery[] = [];
  const add = (next: TokenQuery, { holdsEarlier = false, isLoose = false, isCorrected = false } = {}) => {
    const queryForRest = found.length > 0 ? { find: next, without: any(found) } : next;
    tiers.push({ query: next, queryForRest, holdsEarlier, isLoose, isCorrected });
    found = holdsEarlier ? [next] : [...found, next];
  };
  const parts = query.chunks.flatMap(({ parts: apart, joined }) => (joined ? [...apart, joined] : apart));

  add({ token: toNameToken(query.name), isPrefix: false });
  add({ token: toNameBeginning(query.name), isPrefix: true });
  for (const level of Object.values(levels)) {
    if (level === levels.description && query.chunks.length > 1) add(matchSomeInName(query));
    // A run has no end at which it would be whole.
    if (!parts.some(({ isRun, isLast }) => isRun && isLast)) add(matchAll(query, level, 'whole'));
    add(matchAll(query, level, 'beginning'), { holdsEarlier: true });
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

/** All words anywhere, at least one of them in the name. */
function matchSomeInName(query: SearchQuery): TokenQuery {
  const inName = query.chunks.map((chunk) => matchChunk(chunk, levels.name, 'beginning'));
  return { all: [matchAll(query, levels.description, 'beginning'), any(inName)] };
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
    ...(reach === 'whole' || reach === 'beginning' ? [] : part.containing),
    ...part.similar.filter(({ edits }) => typeof reach === 'number' && edits <= reach).map(({ term }) => term),
  ];
  return any([...ways, ...words.map((word) => ({ token: level + word, isPrefix: false }))]);
}

// Every piece of such text is one of its windows or the beginning of one.
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
