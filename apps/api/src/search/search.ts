import { pickFilters, type AgentFilters, MAX_SEARCH_RESULTS, type TotalBound } from '@agent-registry/contracts';
import { explainHits, toCorrection, toMatchedWords } from './describe-results.ts';
import { isEnglish } from './languages.ts';
import { plan, rank, type Plan, type Ranked } from './plan.ts';
import type { Scope, TokenQuery, TokenReader } from './agent-tokens.ts';
import { createVocabularyReader, type VocabularyLimits } from './vocabulary.ts';

/** A cursor: an agent of the results. */
export type Place = {
  seq: number;
  /**
   * Its position in the results when the cursor was made, from 1. Up to `MAX_SEARCH_RESULTS`, the page is found by it when
   * the agent is no longer a result; other cursors are refused then.
   */
  position?: number | undefined;
};

type PageHits = {
  seqs: number[];
  hasMore: boolean;
  hasPrevious: boolean;
  /** The position of the first agent, from 1; undefined past the first `MAX_SEARCH_RESULTS` results unless the cursor has one. */
  position: number | undefined;
};

/** A search for a page of results: after a place, or before one of the first `MAX_SEARCH_RESULTS`, else the first. */
export type SearchRequest = {
  text: string;
  limit: number;
  after?: Place | undefined;
  before?: Place | undefined;
  /** Whether corrections and synonyms count; true by default. */
  correct?: boolean | undefined;
  /** Applied to the results: they do not change what a text finds. The capability is its key. */
  filters?: AgentFilters | undefined;
  session?: SearchSession | undefined;
  /** Whether the hits say what their scores are made of. */
  explain?: boolean | undefined;
};

/** What the searches of one request share: plans by their texts, and how many terms were looked up for corrections. */
export type SearchSession = { plans: Map<string, Promise<Plan>>; unknownTerms: number };

/** A page of results, and facts about all of them, as far as they are counted. */
export type SearchHits = PageHits & {
  total: number;
  totalBound: TotalBound | undefined;
  /** The number of results with all words of the query. They come first. */
  full: number;
  /** All results, before the filters. */
  matching: Matching;
  /** The text with the corrections that led to the first result, if it was not found as typed. */
  correction: string | undefined;
  /** The text as it was understood, with its sentences as operators; undefined if it has none (`understand`). */
  understood: string | undefined;
  words: string[];
  /** Of the hits of the page that were scored, if the request asks for it. */
  explained: ReturnType<typeof explainHits> | undefined;
} & Pick<Plan, 'telling' | 'unknownTerms' | 'isProvisional'>;

/** The agents that match a query and no others, or the agents with these seqs. */
export type Matching = TokenQuery | { seqs: readonly number[] };

/** Searches; undefined when the cursor is not among the results. */
export type AgentSearch = (request: SearchRequest) => Promise<SearchHits | undefined>;

/** Creates the search over a token index: the same agents in the same order on every engine. */
export function createAgentSearch(index: TokenReader, limits?: VocabularyLimits): AgentSearch {
  const readVocabulary = createVocabularyReader(index, limits);

  return async (request) => {
    const { text, correct = true, filters = {}, session } = request;
    const key = JSON.stringify([text, correct]);
    const earlier = session?.plans.get(key);
    const planned = earlier ?? plan(index, { text, correct }, readVocabulary);
    session?.plans.set(key, planned);
    const whole = await planned;
    if (session && !earlier) session.unknownTerms += whole.unknownTerms;
    const scope = pickFilters(filters, 'text') as Scope;
    const scoped = Object.keys(scope).length === 0 ? index : index.within(scope);
    const ranked = await rank(scoped, whole, filters);
    const hits = await page(scoped, ranked, request);
    if (!hits) return undefined;
    const [first] = ranked.first;
    const { query, scoring } = whole;
    const isCorrected = first && query && scoring && correct && !whole.isTyped && isEnglish(query.language);
    return {
      ...hits,
      total: Math.min(ranked.total, index.maxCounted),
      totalBound: ranked.total > index.maxCounted ? 'lower' : undefined,
      full: Math.min(ranked.full, index.maxCounted),
      matching: toMatching(whole),
      correction: isCorrected ? toCorrection(whole.text, scoring, first) : undefined,
      understood: whole.isUnderstood ? whole.text : undefined,
      words: toMatchedWords(query, ranked.first),
      explained: request.explain && scoring ? explainHits(ranked, hits.seqs, scoring) : undefined,
      telling: whole.telling,
      unknownTerms: whole.unknownTerms,
      isProvisional: whole.isProvisional,
    };
  };
}

/** Agents with all words have a query that finds them; there are few agents beside extras. */
function toMatching({ all, extras }: Plan): Matching {
  if (all.total > 0 && extras.length === 0) return all.query;
  return { seqs: [...all.seqs, ...extras.map(({ agent }) => agent.seq)] };
}

/** Reads a page of ranked results; undefined when the place is not among them, as of an agent that never was. */
export async function page(index: TokenReader, ranked: Ranked, { after, before, limit }: Omit<SearchRequest, 'text'>) {
  if (before) return readBefore(index, ranked, before, limit);
  if (!after) return readFrom(index, ranked, 1, limit);
  const { seq, position } = after;
  const isDeep = position !== undefined && position > MAX_SEARCH_RESULTS;
  let place = toSeqs(ranked).indexOf(seq);
  if (place < 0 && !isDeep) place = (await readFirst(index, ranked, MAX_SEARCH_RESULTS)).indexOf(seq);
  if (place >= 0) return readFrom(index, ranked, place + 2, limit);
  if (ranked.rest && (await index.match(ranked.rest, { limit: 1, before: seq + 1 }))[0] === seq) {
    const hits = await readRest(index, ranked, { before: seq, limit: limit + 1 });
    return toPage(hits, limit, isDeep ? position + 1 : undefined);
  }
  return position === undefined || isDeep ? undefined : readFrom(index, ranked, position, limit);
}

async function readFrom(index: TokenReader, ranked: Ranked, position: number, limit: number): Promise<PageHits> {
  const results = await readFirst(index, ranked, position + limit);
  return toPage(results.slice(position - 1), limit, position);
}

async function readBefore(index: TokenReader, ranked: Ranked, { seq, position = 0 }: Place, limit: number) {
  const results = await readFirst(index, ranked, MAX_SEARCH_RESULTS);
  const place = results.indexOf(seq);
  const end = place >= 0 ? place : position - 1;
  if (end < 0 || end > results.length) return undefined;
  const begin = Math.max(0, end - limit);
  const hasMore = end < Math.max(results.length, ranked.total);
  return { seqs: results.slice(begin, end), hasMore, hasPrevious: begin > 0, position: begin + 1 };
}

const toSeqs = ({ first }: Ranked) => first.map(({ agent }) => agent.seq);

async function readFirst(index: TokenReader, ranked: Ranked, limit: number): Promise<number[]> {
  const first = toSeqs(ranked).slice(0, limit);
  if (first.length === limit) return first;
  return [...first, ...(await readRest(index, ranked, { limit: limit - first.length }))];
}

/** The results after the first ones, latest first; with `before`, only agents older than it. */
async function readRest(index: TokenReader, ranked: Ranked, { before, limit }: { before?: number; limit: number }) {
  if (!ranked.rest) return [];
  const taken = new Set(toSeqs(ranked));
  const found = await index.match(ranked.rest, { limit: limit + taken.size, before });
  return found.filter((seq) => !taken.has(seq)).slice(0, limit);
}

/** Cuts a page off results, of which there is one more than the page has if others follow. */
function toPage(results: readonly number[], limit: number, position: number | undefined): PageHits {
  return {
    seqs: results.slice(0, limit),
    hasMore: results.length > limit,
    hasPrevious: position === undefined || position > 1,
    position,
  };
}
