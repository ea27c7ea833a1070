import { isComplete, type Found } from './found.ts';
import type { Tier } from './tiers.ts';
import type { TokenReader } from './token-index.ts';

/** The agents with all terms of a query, by rank. */
export type Ranked = {
  /** Best first. */
  tiers: readonly Tier[];
  /** The agents of all tiers that are not loose: with the terms as they were typed. */
  typed: Found;
  /** The agents of all tiers. */
  all: Found;
};

/** The first agents in the order of the tiers, at most `limit`. */
export async function collectFirst(
  index: TokenReader,
  { tiers, typed, all }: Ranked,
  limit: number,
): Promise<number[]> {
  if (all.total === 1) return [...all.seqs];
  // Without loose tiers, the last tier finds every agent.
  const strict = tiers.filter(({ isLoose }) => !isLoose);
  const canSort = isComplete(typed) && typed.total <= limit;
  const hits = new Set(canSort ? await sortByTier(index, typed.seqs, { tiers: strict, limit }) : []);
  for (const tier of tiers) {
    if (hits.size >= Math.min(limit, (tier.isLoose ? all : typed).total)) continue;
    // The whole limit, since earlier hits may be among them. The last tier finds every agent.
    const isLast = tier === tiers.at(-1) && isComplete(all);
    for (const seq of isLast ? all.seqs : await index.match(tier.query, { limit })) hits.add(seq);
  }
  return [...hits].slice(0, limit);
}

/**
 * Sorts agents by the first tier that finds them, by bisection: a tier in the middle that includes the earlier ones
 * splits the agents in two, so that a page takes a few queries instead of one for each tier. No tier finds more than
 * `limit` agents.
 */
async function sortByTier(
  index: TokenReader,
  seqs: readonly number[],
  { tiers, limit }: { tiers: readonly Tier[]; limit: number },
): Promise<readonly number[]> {
  if (seqs.length < 2 || tiers.length === 1) return seqs;
  const splitting = tiers.slice(0, -1).flatMap(({ includesEarlier }, at) => (includesEarlier ? [at] : []));
  const middle = splitting[Math.floor(splitting.length / 2)] ?? 0;
  const found = new Set(await index.match((tiers[middle] as Tier).query, { limit }));
  const [first, rest] = [seqs.filter((seq) => found.has(seq)), seqs.filter((seq) => !found.has(seq))];
  return [
    ...(await sortByTier(index, first, { tiers: tiers.slice(0, middle + 1), limit })),
    ...(await sortByTier(index, rest, { tiers: tiers.slice(middle + 1), limit })),
  ];
}

/** The next agents in the order of the tiers, at most `limit`: from the first tier on, of it only agents older than `before`. */
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
