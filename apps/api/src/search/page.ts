import { MAX_SEARCH_RESULTS } from '@agent-registry/contracts';
import type { Ranked } from './rank.ts';
import type { TokenReader } from './token-index.ts';

/** A cursor: an agent of the results. */
export type Place = {
  seq: number;
  /**
   * Its position in the results when the cursor was made, from 1. Up to `MAX_SEARCH_RESULTS`, the page is found by it when
   * the agent is no longer a result; other cursors are refused then.
   */
  position?: number | undefined;
};

/** A page of results: the first, or the one beside a cursor. */
export type SearchPage = {
  /** Most agents of the page. */
  limit: number;
  /** The page starts after this place. */
  after?: Place | undefined;
  /** The page ends before this place, which is among the first `MAX_SEARCH_RESULTS` results; not together with `after`. */
  before?: Place | undefined;
};

/** The agents of a page, and its place. */
export type PageHits = {
  /** Best first. */
  seqs: number[];
  /** Whether results follow the page. */
  hasMore: boolean;
  /** Whether results come before the page. */
  hasPrevious: boolean;
  /** The position of the first agent, from 1; undefined past the first `MAX_SEARCH_RESULTS` results unless the cursor has one. */
  position: number | undefined;
};

/** Reads a page of ranked results; undefined when the place is not among them, as of an agent that never was. */
export async function page(index: TokenReader, ranked: Ranked, request: SearchPage): Promise<PageHits | undefined> {
  const { after, before, limit } = request;
  if (before) return readBefore(index, ranked, before, limit);
  if (after) return readAfter(index, ranked, after, limit);
  return readFrom(index, ranked, 1, limit);
}

async function readAfter(
  index: TokenReader,
  ranked: Ranked,
  { seq, position }: Place,
  limit: number,
): Promise<PageHits | undefined> {
  const place = ranked.first.findIndex(({ agent }) => agent.seq === seq);
  if (place >= 0) return readFrom(index, ranked, place + 2, limit);
  const isDeep = position !== undefined && position > MAX_SEARCH_RESULTS;
  if (ranked.rest && !isDeep) {
    const counted = (await readFirst(index, ranked, MAX_SEARCH_RESULTS)).indexOf(seq);
    if (counted >= 0) return readFrom(index, ranked, counted + 2, limit);
  }
  if (ranked.rest && (await index.includes(ranked.rest, seq))) {
    const hits = await readRest(index, ranked, { before: seq, limit: limit + 1 });
    return toPage(hits, limit, isDeep ? position + 1 : undefined);
  }
  return position === undefined || isDeep ? undefined : readFrom(index, ranked, position, limit);
}

/** The page that starts at a position, from 1. */
async function readFrom(index: TokenReader, ranked: Ranked, position: number, limit: number): Promise<PageHits> {
  const results = await readFirst(index, ranked, position + limit);
  return toPage(results.slice(position - 1), limit, position);
}

async function readBefore(
  index: TokenReader,
  ranked: Ranked,
  before: Place,
  limit: number,
): Promise<PageHits | undefined> {
  const results = await readFirst(index, ranked, MAX_SEARCH_RESULTS);
  const place = results.indexOf(before.seq);
  const end = place >= 0 ? place : before.position === undefined ? -1 : before.position - 1;
  if (end < 0 || end > results.length) return undefined;
  const begin = Math.max(0, end - limit);
  return { seqs: results.slice(begin, end), hasMore: end < ranked.total, hasPrevious: begin > 0, position: begin + 1 };
}

/** The first results, at most `limit`. */
async function readFirst(index: TokenReader, ranked: Ranked, limit: number): Promise<number[]> {
  const first = ranked.first.slice(0, limit).map(({ agent }) => agent.seq);
  if (!ranked.rest || first.length === limit) return first;
  return [...first, ...(await readRest(index, ranked, { limit: limit - first.length }))];
}

/** The results after the first ones, latest first; with `before`, only agents older than it. */
async function readRest(
  index: TokenReader,
  { first, rest }: Ranked,
  { before, limit }: { before?: number; limit: number },
): Promise<number[]> {
  if (!rest) return [];
  const taken = new Set(first.map(({ agent }) => agent.seq));
  const found = await index.match(rest, { limit: limit + taken.size, before });
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
