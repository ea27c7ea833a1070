import { FILTER_PARAMETERS, MAX_SEARCH_RESULTS, type AgentFilters } from '@agent-registry/contracts';
import { toFilterToken } from './agent-tokens.ts';
import { addContaining, addSimilar, readQuery, spell } from './read-query.ts';
import type { TokenQuery, TokenReader } from './token-index.ts';
import { matchAnywhere, toTiers, type SearchQuery, type Tier } from './tiers.ts';
import { createVocabularyReader, type VocabularyLimits } from './vocabulary.ts';

/** Part of the results of a search: at most `limit`, from the best, or after the agent with the seq `after`. */
export type SearchRequest = {
  text: string;
  /** Applied to the results: they do not change what a text finds. */
  filters?: AgentFilters | undefined;
  limit: number;
  after?: number | undefined;
};

/** A page of results. */
export type SearchHits = {
  /** The seqs of the agents, best first. */
  seqs: number[];
  /** The number of all results. */
  total: number;
  /** The query that all results match, and no other agent; undefined when the text has no words. */
  matching: TokenQuery | undefined;
  /** Whether there are results after this page. */
  hasMore: boolean;
  /** The search with the corrections that led to results of this page, if there were any. */
  correction: string | undefined;
};

/** Searches; undefined when `after` is not among the results. */
export type AgentSearch = (request: SearchRequest) => Promise<SearchHits | undefined>;

/** Parts of words are searched for when whole words and prefixes find fewer agents. */
const MANY = MAX_SEARCH_RESULTS;
/** Corrections are tried when there are fewer results. */
const FEW = 5;

/** A query with the number of its results and the latest of them. */
type Found = { query: SearchQuery; total: number; seqs: readonly number[] };

/** Whether all results were read. */
function isComplete({ total, seqs }: Found): boolean {
  return total === seqs.length;
}

/** An agent and the tier that found it. */
type Hit = { seq: number; tier: Tier };

/** The hits of a text without words. */
const nothing: SearchHits = { seqs: [], total: 0, matching: undefined, hasMore: false, correction: undefined };

/** Creates the search over a token index: the same agents in the same order on every engine. */
export function createAgentSearch(index: TokenReader, limits?: VocabularyLimits): AgentSearch {
  const readVocabulary = createVocabularyReader(index, limits);

  return async ({ text, filters = {}, limit, after }) => {
    const query = readQuery(text);
    if (!query) return after === undefined ? nothing : undefined;

    // Widened without the filters, so that a filter never adds results.
    const unfiltered = await find(query);
    const widened = await widen(unfiltered);
    const narrow = narrowBy(filters);
    const [plain, wide] = [await narrowFound(unfiltered), await narrowFound(widened)];
    const tiers = toTiers(wide.query).map((tier) => ({
      ...tier,
      query: narrow(tier.query),
      queryForRest: narrow(tier.queryForRest),
    }));
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
      matching: matchAnywhere(wide.query),
      hasMore: hits.length > limit,
      correction: corrected && (await spell(wide.query, (token) => index.includes(token, corrected.seq))),
    };

    async function narrowFound(found: Found): Promise<Found> {
      const all = matchAnywhere(found.query);
      return narrow(all) === all ? found : { ...found, ...(await index.find(narrow(all), MANY)) };
    }
  };

  async function find(query: SearchQuery): Promise<Found> {
    return { query, ...(await index.find(matchAnywhere(query), MANY)) };
  }

  // Parts of words and corrections rank last, so they are searched only when the other tiers find too few agents.
  async function widen(found: Found): Promise<Found> {
    if (found.total >= MANY) return found;
    const vocabulary = await readVocabulary();
    const withParts = await widenTo(await addContaining(found.query, vocabulary), found);
    return withParts.total >= FEW ? withParts : widenTo(await addSimilar(withParts.query, vocabulary), withParts);
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
    if (isComplete(plain) && plain.total <= limit) {
      // Without loose tiers, the last tier finds every result.
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
      // The whole limit, since earlier hits may be among them. The last tier finds every result.
      const isAll = tier === tiers.at(-1) && isComplete(wide);
      add(isAll ? wide.seqs : await index.match(tier.query, { limit, atMost }), tier);
    }
    return [...hits.values()];
  }

  // Sorts agents by the first tier that finds them, by bisection: a tier in the middle that includes the earlier ones
  // splits the agents in two.
  async function putInOrder(seqs: readonly number[], tiers: readonly Tier[], limit: number): Promise<Hit[]> {
    const last = tiers.at(-1) as Tier;
    if (seqs.length < 2 || tiers.length === 1) return seqs.map((seq) => ({ seq, tier: last }));
    const splitting = tiers
      .slice(0, -1)
      .flatMap(({ includesEarlier }, position) => (includesEarlier ? [position] : []));
    const middle = splitting[Math.floor(splitting.length / 2)] ?? 0;
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
    const first = await findTierOf(tiers, after);
    if (first === undefined) return undefined;
    const hits: Hit[] = [];
    for (const [position, tier] of tiers.entries()) {
      if (position < first || hits.length >= limit) continue;
      const before = position === first ? after : undefined;
      const { total: atMost } = tier.isLoose ? wide : plain;
      const seqs = await index.match(tier.queryForRest, { limit: limit - hits.length, before, atMost });
      hits.push(...seqs.map((seq) => ({ seq, tier })));
    }
    return hits;
  }

  async function findTierOf(tiers: readonly Tier[], seq: number): Promise<number | undefined> {
    for (const [position, { query }] of tiers.entries()) if (await index.includes(query, seq)) return position;
    return undefined;
  }
}

/** Creates the function that narrows a query to the agents that filters leave. */
function narrowBy(filters: AgentFilters): (query: TokenQuery) => TokenQuery {
  const conditions = FILTER_PARAMETERS.flatMap((name) => {
    const values = filters[name];
    return values ? { any: values.map((value) => ({ token: toFilterToken(name, value), isPrefix: false })) } : [];
  });
  return conditions.length === 0 ? (query) => query : (query) => ({ all: [query, ...conditions] });
}
