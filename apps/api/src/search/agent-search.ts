import { MAX_SEARCH_RESULTS } from '@agent-registry/contracts';
import type { Engine, TokenReader } from '../db/engine.ts';
import { addContaining, addSimilar, readQuery, spell } from './read-query.ts';
import { matchAnywhere, toTiers, type SearchQuery, type Tier } from './tiers.ts';
import { Vocabulary } from './vocabulary.ts';

/** Parts of words are looked for where words and their beginnings find fewer agents than this. */
const MANY = MAX_SEARCH_RESULTS;
/** Corrections are tried where there are fewer results than this without them. */
const FEW = 5;

/** A search, how many agents it finds, and which: the latest first, as many as are read at once. */
type Found = { query: SearchQuery; total: number; seqs: readonly number[] };

/** An agent, and the tier that found it. */
type Hit = { seq: number; tier: Tier };

/** Makes the search over an index: the same agents in the same order on every engine. */
export function createAgentSearch(index: TokenReader): Engine['search'] {
  const vocabulary = new Vocabulary();
  let readUpTo: string | undefined;
  let recentTerms: ReadonlySet<string> = new Set();
  let reading = Promise.resolve();

  return async ({ text, limit, after }) => {
    const query = readQuery(text);
    if (!query) return after === undefined ? { seqs: [], total: 0, hasMore: false, correction: undefined } : undefined;

    const wide = await widen(await find(query));
    const tiers = toTiers(wide.query);
    const hits =
      after === undefined
        ? await collectFirst(tiers, wide, limit + 1)
        : await collectAfter(tiers, { limit: limit + 1, after });
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

  // One reading after the other: each search sees what was stored before it began.
  function readNewTerms(): Promise<void> {
    const next = reading.then(async () => {
      let isComplete = false;
      while (!isComplete) {
        const read = await index.readTerms(readUpTo);
        vocabulary.add(read.terms.filter((term) => !recentTerms.has(term)));
        recentTerms = new Set(read.terms);
        ({ next: readUpTo, isComplete } = read);
      }
    });
    reading = next.catch(() => {});
    return next;
  }

  async function find(query: SearchQuery): Promise<Found> {
    const everything = matchAnywhere(query);
    const seqs = await index.match(everything, { limit: MANY });
    return { query, total: seqs.length < MANY ? seqs.length : await index.count(everything), seqs };
  }

  // Parts of words and corrections come after whatever words and their beginnings find, and only where that is not enough.
  async function widen(found: Found): Promise<Found> {
    if (found.total >= MANY) return found;
    await readNewTerms();
    const withParts = await widenTo(addContaining(found.query, vocabulary), found);
    return withParts.total >= FEW ? withParts : widenTo(addSimilar(withParts.query, vocabulary), withParts);
  }

  async function widenTo(query: SearchQuery, found: Found): Promise<Found> {
    if (query === found.query) return found;
    const wider = await find(query);
    return wider.total > found.total ? wider : found;
  }

  async function collectFirst(tiers: readonly Tier[], { total, seqs: all }: Found, limit: number): Promise<Hit[]> {
    const hits = new Map<number, Hit>();
    // Where all results are wanted, they are put in order: all that were found, but for those of the looser tiers.
    const isWhole = total <= limit && total === all.length;
    const place = isWhole ? tiers.findLastIndex(({ holdsEarlier }) => holdsEarlier) : -1;
    if (place !== -1) {
      const seqs = place === tiers.length - 1 ? all : await index.match((tiers[place] as Tier).query, { limit });
      for (const hit of await putInOrder(seqs, tiers.slice(0, place + 1), limit)) hits.set(hit.seq, hit);
    }
    for (const tier of tiers.slice(place + 1)) {
      if (hits.size >= Math.min(limit, total)) break;
      // As many as are wanted in all: those found before may be among them.
      const seqs = await index.match(tier.query, { limit });
      for (const seq of seqs) if (!hits.has(seq) && hits.size < limit) hits.set(seq, { seq, tier });
    }
    return [...hits.values()];
  }

  // Of agents that the last of the tiers finds, and holds: what a tier in the middle holds comes before the others.
  async function putInOrder(seqs: readonly number[], tiers: readonly Tier[], limit: number): Promise<Hit[]> {
    const last = tiers.at(-1) as Tier;
    if (seqs.length < 2 || tiers.length === 1) return seqs.map((seq) => ({ seq, tier: last }));
    const holding = tiers.slice(0, -1).flatMap(({ holdsEarlier }, position) => (holdsEarlier ? [position] : []));
    const middle = holding[Math.floor(holding.length / 2)] ?? 0;
    const found = new Set(await index.match((tiers[middle] as Tier).query, { limit }));
    const [first, rest] = [seqs.filter((seq) => found.has(seq)), seqs.filter((seq) => !found.has(seq))];
    return [
      ...(await putInOrder(first, tiers.slice(0, middle + 1), limit)),
      ...(await putInOrder(rest, tiers.slice(middle + 1), limit)),
    ];
  }

  async function collectAfter(
    tiers: readonly Tier[],
    { limit, after }: { limit: number; after: number },
  ): Promise<Hit[] | undefined> {
    const place = await findPlace(tiers, after);
    if (place === undefined) return undefined;
    const hits: Hit[] = [];
    for (const [position, tier] of tiers.entries()) {
      if (position < place || hits.length >= limit) continue;
      const before = position === place ? after : undefined;
      const seqs = await index.match(tier.queryForRest, { limit: limit - hits.length, before });
      hits.push(...seqs.map((seq) => ({ seq, tier })));
    }
    return hits;
  }

  async function findPlace(tiers: readonly Tier[], seq: number): Promise<number | undefined> {
    for (const [position, { query }] of tiers.entries()) if (await index.includes(query, seq)) return position;
    return undefined;
  }
}
