import { MAX_SEARCH_RESULTS } from '@agent-registry/contracts';
import type { Engine, TokenReader } from '../db/engine.ts';
import { addContaining, addSimilar, readQuery, spell } from './read-query.ts';
import { matchAnywhere, toTiers, type SearchQuery, type Tier } from './tiers.ts';
import { createVocabularyReader, type VocabularyLimits } from './vocabulary.ts';

/** Parts of words are looked for where words and their beginnings find fewer agents than this. */
const MANY = MAX_SEARCH_RESULTS;
/** Corrections are tried where there are fewer results than this without them. */
const FEW = 5;

/** A search, how many agents it finds, and which: the latest first, as many as are read at once. */
type Found = { query: SearchQuery; total: number; seqs: readonly number[] };

/** Whether all that a search finds was read. */
function isKnown({ total, seqs }: Found): boolean {
  return total === seqs.length;
}

/** An agent, and the tier that found it. */
type Hit = { seq: number; tier: Tier };

/** Creates the search over an index: the same agents in the same order on every engine. */
export function createAgentSearch(index: TokenReader, limits?: VocabularyLimits): Engine['search'] {
  const readVocabulary = createVocabularyReader(index, limits);

  return async ({ text, limit, after }) => {
    const query = readQuery(text);
    if (!query) return after === undefined ? { seqs: [], total: 0, hasMore: false, correction: undefined } : undefined;

    const plain = await find(query);
    const wide = await widen(plain);
    const tiers = toTiers(wide.query);
    const hits =
      after === undefined
        ? await collectFirst(tiers, { plain, wide }, limit + 1)
        : await collectAfter(tiers, { plain, wide }, { limit: limit + 1, after });
    if (!hits) return undefined;
    const page = hits.slice(0, limit);
    const corrected = page.find(({ tier }) => tier.isCorrected);
    return {
      seqs: page.map(({ seq }) => seq),
      total: wide.total,
      hasMore: hits.length > limit,
      correction: corrected && (await spell(wide.query, (token) => index.includes(token, corrected.seq))),
    };
  };

  async function find(query: SearchQuery): Promise<Found> {
    return { query, ...(await index.find(matchAnywhere(query), MANY)) };
  }

  // Parts of words and corrections come after whatever words and their beginnings find, and only where that is not enough.
  async function widen(found: Found): Promise<Found> {
    if (found.total >= MANY) return found;
    const vocabulary = await readVocabulary();
    const withParts = await widenTo(addContaining(found.query, vocabulary), found);
    return withParts.total >= FEW ? withParts : widenTo(addSimilar(withParts.query, vocabulary), withParts);
  }

  async function widenTo(query: SearchQuery, found: Found): Promise<Found> {
    if (query === found.query) return found;
    const wider = await find(query);
    return wider.total > found.total ? wider : found;
  }

  async function collectFirst(
    tiers: readonly Tier[],
    { plain, wide }: { plain: Found; wide: Found },
    limit: number,
  ): Promise<Hit[]> {
    const hits = new Map<number, Hit>();
    const add = (seqs: readonly number[], tier: Tier) => {
      for (const seq of seqs) if (!hits.has(seq) && hits.size < limit) hits.set(seq, { seq, tier });
    };
    if (isKnown(plain) && plain.total <= limit) {
      // The last tier that is not loose finds all that the search finds as it is written.
      const order = await putInOrder(
        plain.seqs,
        tiers.filter(({ isLoose }) => !isLoose),
        limit,
      );
      for (const hit of order) hits.set(hit.seq, hit);
    }
    for (const tier of tiers) {
      const { total: atMost } = tier.isLoose ? wide : plain;
      if (hits.size >= Math.min(limit, atMost)) continue;
      // As many as are wanted in all: those found before may be among them. The last tier finds all.
      const isAll = tier === tiers.at(-1) && isKnown(wide);
      add(isAll ? wide.seqs : await index.match(tier.query, { limit, atMost }), tier);
    }
    return [...hits.values()];
  }

  // Of agents that the last of the tiers finds, and holds: what a tier in the middle holds comes before the others.
  async function putInOrder(seqs: readonly number[], tiers: readonly Tier[], limit: number): Promise<Hit[]> {
    const last = tiers.at(-1) as Tier;
    if (seqs.length < 2 || tiers.length === 1) return seqs.map((seq) => ({ seq, tier: last }));
    const holding = tiers.slice(0, -1).flatMap(({ holdsEarlier }, position) => (holdsEarlier ? [position] : []));
    const middle = holding[Math.floor(holding.length / 2)] ?? 0;
    const found = new Set(await index.match((tiers[middle] as Tier).query, { limit, atMost: limit }));
    const [first, rest] = [seqs.filter((seq) => found.has(seq)), seqs.filter((seq) => !found.has(seq))];
    return [
      ...(await putInOrder(first, tiers.slice(0, middle + 1), limit)),
      ...(await putInOrder(rest, tiers.slice(middle + 1), limit)),
    ];
  }

  async function collectAfter(
    tiers: readonly Tier[],
    { plain, wide }: { plain: Found; wide: Found },
    { limit, after }: { limit: number; after: number },
  ): Promise<Hit[] | undefined> {
    const place = await findPlace(tiers, after);
    if (place === undefined) return undefined;
    const hits: Hit[] = [];
    for (const [position, tier] of tiers.entries()) {
      if (position < place || hits.length >= limit) continue;
      const before = position === place ? after : undefined;
      const { total: atMost } = tier.isLoose ? wide : plain;
      const seqs = await index.match(tier.queryForRest, { limit: limit - hits.length, before, atMost });
      hits.push(...seqs.map((seq) => ({ seq, tier })));
    }
    return hits;
  }

  async function findPlace(tiers: readonly Tier[], seq: number): Promise<number | undefined> {
    for (const [position, { query }] of tiers.entries()) if (await index.includes(query, seq)) return position;
    return undefined;
  }
}
