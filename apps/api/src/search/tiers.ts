import type { TokenQuery } from './token-index.ts';
import { levels, toNameBeginning, toNameTokens, toWindows, WINDOW, type Level } from './agent-tokens.ts';
import type { Chunk } from './analyze.ts';

/** A parsed search: every chunk must occur. */
export type SearchQuery = {
  /** The whole text, and the text without stop words, to compare with names. */
  names: readonly (readonly Chunk[])[];
  /** The chunks that must occur; the last one is a prefix. */
  chunks: readonly QueryChunk[];
  /** The chunks with two or three neighbours as one word: `crew ai` as `crewai`. */
  joined: readonly (readonly QueryChunk[])[];
};

/** A chunk of a search. */
export type QueryChunk = {
  terms: readonly QueryTerm[];
  /** The terms as one word, if there are several. */
  joined: QueryTerm | undefined;
};

/** A word of a chunk, with other words that match it too. */
export type QueryTerm = {
  text: string;
  /** Whether its script is written without blanks. */
  isRun: boolean;
  subwords: readonly string[];
  /** Whether it is the last word, which may be unfinished. */
  isLast: boolean;
  forms: Forms;
};

/** Words that match a word of a search, from close to far. */
export type Forms = {
  /** Words with the same stem. */
  stem: readonly string[];
  /** Words, and phrases of several words, that mean the same. */
  synonym: readonly (readonly string[])[];
  /** Words that contain it, except words that already match as the word itself or by prefix. */
  infix: readonly string[];
};

/** The forms of a word that is only searched as it is. */
export const NO_FORMS: Forms = { stem: [], synonym: [], infix: [] };

/** A group of results of the same rank. */
export type Tier = {
  query: TokenQuery;
  /** The same query without the results of earlier tiers. */
  queryForRest: TokenQuery;
  /** Whether its results include those of all earlier tiers. */
  includesEarlier: boolean;
  /** Whether it matches other forms of a word. */
  isLoose: boolean;
};

/** How a word may match: whole, as a prefix if it is the last, or as another form; each includes those before it. */
const reaches = ['whole', 'prefix', 'stem', 'synonym', 'infix'] as const;
export type Reach = (typeof reaches)[number];

const reachesTo = (reach: Reach, least: Reach) => reaches.indexOf(reach) >= reaches.indexOf(least);

/** The query for all results of a search. */
export function matchAnywhere(query: SearchQuery, reach: Reach = 'infix'): TokenQuery {
  return matchAll(query, levels.description, reach);
}

/** The tiers of a search, best first; within a tier the latest agent comes first. */
export function toTiers(query: SearchQuery): Tier[] {
  const tiers: Tier[] = [];
  // The queries of all tiers so far.
  let found: TokenQuery[] = [];
  const add = (next: TokenQuery, { includesEarlier = false, isLoose = false } = {}) => {
    const queryForRest = found.length > 0 ? { find: next, without: any(found) } : next;
    tiers.push({ query: next, queryForRest, includesEarlier, isLoose });
    found = includesEarlier ? [next] : [...found, next];
  };
  const terms = query.chunks.flatMap(({ terms: apart, joined }) => (joined ? [...apart, joined] : apart));

  for (const name of query.names) {
    const [asTyped, ...joined] = toNameTokens(name).map((token) => ({ token, isPrefix: false }));
    if (asTyped) add(asTyped);
    for (const token of joined) add(token);
    add({ token: toNameBeginning(name), isPrefix: true });
  }
  for (const level of Object.values(levels)) {
    if (level === levels.description && query.chunks.length > 1) add(matchSomeInName(query));
    // A run has no word ends, so it cannot match as a whole word.
    if (!terms.some(({ isRun, isLast }) => isRun && isLast)) add(matchAll(query, level, 'whole'));
    add(matchAll(query, level, 'prefix'), { includesEarlier: true });
  }
  for (const reach of ['stem', 'synonym', 'infix'] as const) {
    if (!terms.some(({ forms }) => forms[reach].length > 0)) continue;
    const names = terms.length === 1 ? terms.flatMap(({ forms }) => [forms[reach]].flat(2)) : [];
    // A name that the word fills more of comes first.
    if (names.length > 0) add(any(names.map((word) => ({ token: `^${word}$`, isPrefix: false }))), { isLoose: true });
    for (const level of [levels.name, levels.capabilities, levels.description]) {
      add(matchAll(query, level, reach), { isLoose: true });
    }
  }
  return tiers;
}

/** The query for agents that have a chunk. */
export function matchChunk({ terms, joined }: QueryChunk, level: Level, reach: Reach): TokenQuery {
  const inTerms = all(terms.map((term) => matchTerm(term, level, reach)));
  return joined ? any([matchTerm(joined, level, reach), inTerms]) : inTerms;
}

/** All words, at least one of them in the name. */
function matchSomeInName(query: SearchQuery): TokenQuery {
  const inName = query.chunks.map((chunk) => matchChunk(chunk, levels.name, 'prefix'));
  return { all: [matchAll(query, levels.description, 'prefix'), any(inName)] };
}

function matchAll({ chunks, joined }: SearchQuery, level: Level, reach: Reach): TokenQuery {
  const match = (chunk: QueryChunk) => matchChunk(chunk, level, reach);
  const ways = [chunks, ...joined];
  const last = chunks.length > 1 ? chunks.find(({ terms }) => terms.some(({ isLast }) => isLast)) : undefined;
  if (!last) return any(ways.map((way) => all(way.map(match))));
  // An engine reads all words with a prefix each time it stands in a query, so it stands once for the ways that share it.
  const before = ways.filter((way) => way.includes(last)).map((way) => way.filter((chunk) => chunk !== last));
  const others = ways.filter((way) => !way.includes(last));
  const shared = all([any(before.map((way) => all(way.map(match)))), match(last)]);
  return any([shared, ...others.map((way) => all(way.map(match)))]);
}

function matchTerm(term: QueryTerm, level: Level, reach: Reach): TokenQuery {
  if (term.isRun) return any([term.text, ...term.forms.stem].map((run) => matchRun(run, level)));
  const isPrefix = term.isLast && reach !== 'whole';
  const ways: TokenQuery[] = [{ token: level + term.text, isPrefix }];
  if (term.subwords.length > 0) {
    const last = term.subwords.length - 1;
    ways.push(all(term.subwords.map((word, index) => ({ token: level + word, isPrefix: isPrefix && index === last }))));
  }
  const word = (text: string): TokenQuery => ({ token: level + text, isPrefix: false });
  const { stem, synonym, infix: containing } = term.forms;
  if (reachesTo(reach, 'stem')) ways.push(...stem.map(word));
  if (reachesTo(reach, 'synonym')) ways.push(...synonym.map((words) => all(words.map(word))));
  if (reachesTo(reach, 'infix')) ways.push(...containing.map(word));
  return any(ways);
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
