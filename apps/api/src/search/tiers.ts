import { levels, toFieldToken, toNameBeginning, toNameTokens, toWindows, WINDOW, type Level } from './agent-tokens.ts';
import { listTerms, type QueryChunk, type QueryTerm, type SearchQuery } from './read-query.ts';
import { restrict } from './restriction.ts';
import type { TokenQuery } from './token-index.ts';

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
const reaches = ['whole', 'prefix', 'stem', 'family', 'synonym', 'infix'] as const;
export type Reach = (typeof reaches)[number];

const reachesTo = (reach: Reach, least: Reach) => reaches.indexOf(reach) >= reaches.indexOf(least);

/** The query for the agents of all tiers. */
export function matchAnywhere(query: SearchQuery, reach: Reach = 'infix'): TokenQuery {
  const { chunks, restriction } = query;
  // A query without words demands only its fields.
  return chunks.length === 0
    ? restrict(all(restriction.within), { ...restriction, within: [] })
    : restrict(matchAll(query, levels.description, reach), restriction);
}

/**
 * The tiers of a query, best first.
 * @param isGeneric whether it is one word that is no rare name: agents with the word as a capability come before agents
 *   that only have it as their name
 */
export function toTiers(query: SearchQuery, isGeneric = false): Tier[] {
  const bareName = isGeneric ? matchBareName(query) : undefined;
  const steps = [...matchName(query, bareName), ...matchTyped(query, bareName), ...matchForms(query)].map((step) => ({
    ...step,
    query: restrict(step.query, query.restriction),
  }));
  const tiers: Tier[] = [];
  // The queries of all tiers so far.
  let found: TokenQuery[] = [];
  for (const tier of query.chunks.length === 0 ? [{ query: matchAnywhere(query) }] : steps) {
    const queryForRest = found.length > 0 ? { find: tier.query, without: any(found) } : tier.query;
    tiers.push({ includesEarlier: false, isLoose: false, ...tier, queryForRest });
    found = tier.includesEarlier ? [tier.query] : [...found, tier.query];
  }
  return tiers;
}

/** A tier by itself; what is missing is false. */
type Step = Pick<Tier, 'query'> & Partial<Pick<Tier, 'includesEarlier' | 'isLoose'>>;

/** The name is the text, or begins with it. */
function matchName({ names }: SearchQuery, bareName: TokenQuery | undefined): Step[] {
  return names.flatMap((name) => [
    ...toNameTokens(name).map((token) => ({ query: leaveOut({ token, isPrefix: false }, bareName) })),
    { query: leaveOut({ token: toNameBeginning(name), isPrefix: true }, bareName) },
  ]);
}

/** The query for agents with the word as their whole name, and not as a capability. */
function matchBareName({ chunks }: SearchQuery): TokenQuery {
  const text = chunks[0]?.terms[0]?.text ?? '';
  const capability = { token: toFieldToken('capability', text), isPrefix: false };
  return { find: { token: `^${text}$`, isPrefix: false }, without: capability };
}

function leaveOut(query: TokenQuery, without: TokenQuery | undefined): TokenQuery {
  return without ? { find: query, without } : query;
}

/** All terms as they were typed: in the name, then with each further field; whole words before unfinished ones. */
function matchTyped(query: SearchQuery, bareName: TokenQuery | undefined): Step[] {
  // A run has no word ends, so it cannot match as a whole word.
  const canBeWhole = !listTerms(query).some(({ isRun, isLast }) => isRun && isLast);
  return Object.values(levels).flatMap((level) => {
    const isName = level === levels.name;
    const isCapabilities = level === levels.capabilities;
    return [
      ...(level === levels.description && query.chunks.length > 1 ? [{ query: matchSomeInName(query) }] : []),
      ...(canBeWhole
        ? [{ query: leaveOut(matchAll(query, level, 'whole'), isName || isCapabilities ? bareName : undefined) }]
        : []),
      ...(isCapabilities && bareName ? [{ query: bareName }] : []),
      { query: leaveOut(matchAll(query, level, 'prefix'), isName ? bareName : undefined), includesEarlier: true },
    ];
  });
}

/** All terms, some of them in another form: from close to far, and from the name to all fields. */
function matchForms(query: SearchQuery): Step[] {
  const terms = listTerms(query);
  return (['stem', 'family', 'synonym', 'infix'] as const)
    .filter((reach) => terms.some(({ forms }) => forms[reach].length > 0))
    .flatMap((reach) => {
      // A name that the word fills more of comes first.
      const names = terms.length === 1 ? terms.flatMap(({ forms }) => [forms[reach]].flat(2)) : [];
      const fields = [levels.name, levels.capabilities, levels.description];
      return [
        ...(names.length > 0 ? [any(names.map((word) => ({ token: `^${word}$`, isPrefix: false })))] : []),
        ...fields.map((level) => matchAll(query, level, reach)),
      ].map((step) => ({ query: step, isLoose: true }));
    });
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
  const word = (text: string): TokenQuery => ({ token: level + text, isPrefix: false });
  const { stem, family, synonym, infix: containing } = term.forms;
  const synonyms = reachesTo(reach, 'synonym') ? synonym.map((words) => all(words.map(word))) : [];
  if (term.isRun) return any([...[term.text, ...stem].map((run) => matchRun(run, level)), ...synonyms]);
  const isPrefix = term.isLast && reach !== 'whole';
  const ways: TokenQuery[] = [{ token: level + term.text, isPrefix }];
  if (term.subwords.length > 0) {
    const last = term.subwords.length - 1;
    ways.push(all(term.subwords.map((word, index) => ({ token: level + word, isPrefix: isPrefix && index === last }))));
  }
  if (reachesTo(reach, 'stem')) ways.push(...stem.map(word));
  if (reachesTo(reach, 'family')) ways.push(...family.map(word));
  ways.push(...synonyms);
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
