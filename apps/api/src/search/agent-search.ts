import { MAX_SEARCH_RESULTS } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import { toTokens } from './agent-tokens.ts';
import { addContaining, addSimilar, readQuery, spell } from './read-query.ts';
import { matchAnywhere, toTiers, type SearchQuery, type Tier } from './tiers.ts';
import { Vocabulary } from './vocabulary.ts';

/** Which results of a search: at most `limit`, from the best on or from the one after the agent with the seq `after`. */
export type SearchRequest = { text: string; limit: number; after?: number | undefined };

/** A part of the results of a search. */
export type SearchHits = {
  /** The seq of each agent, best first. */
  seqs: number[];
  /** How many results there are in all. */
  total: number;
  /** Whether results follow after these. */
  hasMore: boolean;
  /** How the search reads with the corrections that led to some of these results, if any did. */
  correction: string | undefined;
};

/** Finds agents by words; the same agents in the same order on every engine. */
export type AgentSearch = {
  /** Makes a stored agent findable, in the transaction that stores it. */
  index(db: Kysely<Tables>, row: AgentRow): Promise<void>;
  /** The results of a search; undefined when `after` is none of them. */
  find(request: SearchRequest): Promise<SearchHits | undefined>;
};

/** Parts of words are looked for where words and their beginnings find fewer agents than this. */
const MANY = MAX_SEARCH_RESULTS;
/** Corrections are tried where there are fewer results than this without them. */
const FEW = 5;

/** A search, and how many agents it finds. */
type Found = { query: SearchQuery; total: number };

/** Makes the search over a database. */
export function createAgentSearch({ db, tokens: index }: Engine): AgentSearch {
  const vocabulary = new Vocabulary();
  let readUpTo: string | undefined;
  let recentTerms: ReadonlySet<string> = new Set();
  let reading = Promise.resolve();

  return {
    async index(transaction, row) {
      const { tokens, terms } = toTokens(row);
      await index.add(transaction, row.seq, tokens, terms);
    },

    async find({ text, limit, after }) {
      const query = readQuery(text);
      if (!query)
        return after === undefined ? { seqs: [], total: 0, hasMore: false, correction: undefined } : undefined;

      const wide = await widen({ query, total: await index.count(matchAnywhere(query)) });
      const tiers = toTiers(wide.query);
      const start = after === undefined ? { tier: 0 } : await findPlace(tiers, after);
      if (!start) return undefined;
      const hits = await collect(tiers, start, { limit: limit + 1, total: wide.total });
      const page = hits.slice(0, limit);
      const corrected = page.find(({ tier }) => tier.isCorrected);
      return {
        seqs: page.map(({ seq }) => seq),
        total: wide.total,
        hasMore: hits.length > limit,
        correction: corrected && spell(wide.query, await readTokens(corrected.seq)),
      };
    },
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

  // Parts of words and corrections come after whatever words and their beginnings find, and only where that is not enough.
  async function widen(found: Found): Promise<Found> {
    if (found.total >= MANY) return found;
    await readNewTerms();
    const withParts = await widenTo(addContaining(found.query, vocabulary), found);
    return withParts.total >= FEW ? withParts : widenTo(addSimilar(withParts.query, vocabulary), withParts);
  }

  async function widenTo(query: SearchQuery, found: Found): Promise<Found> {
    const total = await index.count(matchAnywhere(query));
    return total > found.total ? { query, total } : found;
  }

  async function findPlace(tiers: readonly Tier[], seq: number): Promise<{ tier: number; before: number } | undefined> {
    for (const [tier, { query }] of tiers.entries()) {
      if (await index.includes(query, seq)) return { tier, before: seq };
    }
    return undefined;
  }

  async function collect(
    tiers: readonly Tier[],
    start: { tier: number; before?: number },
    { limit, total }: { limit: number; total: number },
  ): Promise<{ seq: number; tier: Tier }[]> {
    const hits: { seq: number; tier: Tier }[] = [];
    const wanted = Math.min(limit, total);
    for (const [position, tier] of tiers.entries()) {
      if (position < start.tier || hits.length >= wanted) continue;
      const before = position === start.tier ? start.before : undefined;
      const seqs = await index.match(tier.query, { limit: limit - hits.length, before });
      hits.push(...seqs.map((seq) => ({ seq, tier })));
    }
    return hits;
  }

  async function readTokens(seq: number): Promise<ReadonlySet<string>> {
    const row = await db.selectFrom('agents').selectAll().where('seq', '=', seq).executeTakeFirst();
    return new Set(row ? toTokens(row).tokens : []);
  }
}
