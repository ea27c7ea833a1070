import { levels } from './agent-tokens.ts';
import { matchAll, matchNames, matchTerm } from './match.ts';
import { ranking } from './ranking.ts';
import type { SearchQuery } from './read-query.ts';
import { restrict } from './restriction.ts';
import type { Scoring } from './scoring.ts';
import { all, any, type TokenQuery, type TokenReader } from './token-index.ts';

/** A query with the number of its agents, and the latest of them (seqs), latest first. */
export type Found = { query: TokenQuery; total: number; seqs: readonly number[] };

/** Never sent to an index: what found no agent is not asked again. */
export const nothing: Found = { query: { any: [] }, total: 0, seqs: [] };

/** Counts the agents that a query finds, and reads the latest of them, as many as are scored. */
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
 * The candidates for agents with some words: those with one of the rare terms, with all terms but one, with two of the
 * rarest, and with one as a capability.
 */
export async function collectSome(index: TokenReader, query: SearchQuery, scoring: Scoring): Promise<Set<number>> {
  const { maxTerms, maxSome, pairedTerms, maxScored } = ranking;
  const terms = scoring.terms.slice(0, maxTerms).toSorted((a, b) => b.weight - a.weight || a.agents - b.agents);
  const queries = terms.map(({ term }) => matchTerm(term, 'corrected'));
  let read = 0;
  const rare = queries.filter((_, at) => {
    read += terms[at]?.agents ?? 0;
    return at === 0 || read <= maxSome;
  });
  const rarest = queries.slice(0, pairedTerms);
  const ways = [
    rare,
    queries.length > 2 ? queries.map((left) => all(queries.filter((other) => other !== left))) : [],
    rarest.flatMap((first, at) => rarest.slice(at + 1).map((second) => all([first, second]))),
    terms.map(({ term }) => matchTerm(term, 'forms', levels.capabilities)),
  ];
  const seqs = new Set<number>();
  for (const way of ways) {
    if (way.length === 0 || seqs.size >= maxScored) continue;
    const found = await index.match(restrict(any(way), query.restriction), { limit: maxSome });
    for (const seq of found) seqs.add(seq);
  }
  return new Set([...seqs].slice(0, maxScored));
}
