import { MAX_SEARCH_RESULTS } from '@agent-registry/contracts';
import { isComplete, type Found } from './found.ts';
import type { QueryTerm } from './read-query.ts';
import { sortEquals } from './sort-equals.ts';
import type { Tier } from './tiers.ts';
import type { TokenReader } from './token-index.ts';

/** The agents with all terms of a query, by rank. */
export type Ranked = {
  /** Best first. */
  tiers: readonly Tier[];
  /** The terms by which agents of the same tier are compared. */
  terms: readonly QueryTerm[];
  /** The agents of all tiers that are not loose: with the terms as they were typed. */
  typed: Found;
  /** The agents of all tiers. */
  all: Found;
};

/**
 * The first agents in the order of the tiers, at most `limit`. The first `MAX_SEARCH_RESULTS` are sorted within their tier
 * by their texts; later ones are latest first.
 */
export async function collectFirst(index: TokenReader, ranked: Ranked, limit: number): Promise<number[]> {
  const groups = await collectGroups(index, ranked, Math.min(limit, MAX_SEARCH_RESULTS));
  const hits: number[] = [];
  for (const group of groups) {
    if (hits.length < limit) hits.push(...(await sortEquals(index, group, ranked.terms)));
  }
  const last = groups.at(-1)?.at(-1);
  if (hits.length >= Math.min(limit, ranked.all.total) || last === undefined) return hits.slice(0, limit);
  const first = (await findTierOf(index, ranked.tiers, last)) ?? 0;
  const rest = await collectNext(index, ranked.tiers.slice(first), { before: last, limit: limit - hits.length });
  return [...hits, ...rest];
}

/**
 * The agents of the first tiers, latest first in each, until there are `limit`. Each tier is whole, except that there are
 * at most `MAX_SEARCH_RESULTS` in all.
 */
async function collectGroups(
  index: TokenReader,
  { tiers, typed, all }: Ranked,
  limit: number,
): Promise<readonly (readonly number[])[]> {
  // Without loose tiers, the last tier finds every agent.
  const strict = tiers.filter(({ isLoose }) => !isLoose);
  const canSort = isComplete(typed) && typed.total <= limit;
  const groups = canSort && typed.total > 0 ? [...(await groupByTier(index, typed.seqs, strict))] : [];
  const hits = new Set(groups.flat());
  for (const tier of tiers) {
    if (hits.size >= Math.min(limit, (tier.isLoose ? all : typed).total)) continue;
    // The last tier finds every agent.
    const isLast = tier === tiers.at(-1) && isComplete(all);
    const found = isLast ? all.seqs : await index.match(tier.query, { limit: MAX_SEARCH_RESULTS });
    const group = found.filter((seq) => !hits.has(seq)).slice(0, MAX_SEARCH_RESULTS - hits.size);
    for (const seq of group) hits.add(seq);
    groups.push(group);
  }
  return groups.filter((group) => group.length > 0);
}

/**
 * Groups agents by the first tier that finds them, by bisection: a tier in the middle that includes the earlier ones
 * splits the agents in two, so that a page takes a few queries instead of one for each tier.
 */
async function groupByTier(
  index: TokenReader,
  seqs: readonly number[],
  tiers: readonly Tier[],
): Promise<readonly (readonly number[])[]> {
  if (seqs.length < 2 || tiers.length === 1) return [seqs];
  const splitting = tiers.slice(0, -1).flatMap(({ includesEarlier }, at) => (includesEarlier ? [at] : []));
  const middle = splitting[Math.floor(splitting.length / 2)] ?? 0;
  const found = new Set(await index.match((tiers[middle] as Tier).query, { limit: MAX_SEARCH_RESULTS }));
  const [first, rest] = [seqs.filter((seq) => found.has(seq)), seqs.filter((seq) => !found.has(seq))];
  return [
    ...(await groupByTier(index, first, tiers.slice(0, middle + 1))),
    ...(await groupByTier(index, rest, tiers.slice(middle + 1))),
  ];
}

/** The next agents, latest first in each tier, at most `limit`: from the first tier on, of it only agents older than `before`. */
export async function collectNext(
  index: TokenReader,
  tiers: readonly Tier[],
  { before, limit }: { before?: number; limit: number },
): Promise<number[]> {
  const hits: number[] = [];
  for (const [at, tier] of tiers.entries()) {
    if (hits.length >= limit) break;
    const page = { limit: limit - hits.length, before: at === 0 ? before : undefined };
    hits.push(...(await index.match(tier.queryForRest, page)));
  }
  return hits;
}

/** The first tier that finds an agent. */
export async function findTierOf(index: TokenReader, tiers: readonly Tier[], seq: number): Promise<number | undefined> {
  for (const [at, { query }] of tiers.entries()) if (await index.includes(query, seq)) return at;
  return undefined;
}
