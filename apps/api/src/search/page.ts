import { MAX_SEARCH_RESULTS } from '@agent-registry/contracts';
import { collectFirst, collectNext, findTierOf } from './collect.ts';
import type { Plan } from './plan.ts';
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

/** Reads a page of a plan's results; undefined when the place is not among them, as of an agent that never was. */
export async function page(index: TokenReader, plan: Plan, request: SearchPage): Promise<PageHits | undefined> {
  const { after, before, limit } = request;
  if (before) return readBefore(index, plan, before, limit);
  if (after) return readAfter(index, plan, { ...request, after });
  const results = await readFirst(index, plan, limit + 1);
  return toPage(results, limit, { position: 1, hasPrevious: false });
}

async function readAfter(
  index: TokenReader,
  plan: Plan,
  { after, limit }: SearchPage & { after: Place },
): Promise<PageHits | undefined> {
  const extras = listExtras(plan);
  const place = extras.indexOf(after.seq);
  if (place >= 0) {
    const position = plan.all.total + place + 2;
    return toPage(extras.slice(place + 1), limit, { position, hasPrevious: true });
  }
  const { position } = after;
  const isNear = position !== undefined && position < MAX_SEARCH_RESULTS;
  const isDeep = position !== undefined && position > MAX_SEARCH_RESULTS;
  for (const known of isDeep ? [] : isNear ? [position, MAX_SEARCH_RESULTS] : [MAX_SEARCH_RESULTS]) {
    const results = await readFirst(index, plan, known + limit + 1);
    const at = results.indexOf(after.seq);
    if (at >= 0) return toPage(results.slice(at + 1), limit, { position: at + 2, hasPrevious: true });
  }
  const first = await findTierOf(index, plan.tiers, after.seq);
  if (first === undefined) {
    return position === undefined || isDeep ? undefined : readFrom(index, plan, position, limit);
  }
  // Past the results that are sorted by their texts.
  const hits = await collectNext(index, plan.tiers.slice(first), { before: after.seq, limit: limit + 1 });
  return toPage([...hits, ...extras], limit, { position: isDeep ? position + 1 : undefined, hasPrevious: true });
}

/** The page that starts at a position, from 1. */
async function readFrom(index: TokenReader, plan: Plan, position: number, limit: number): Promise<PageHits> {
  const skipped = position - 1;
  const results = await readFirst(index, plan, skipped + limit + 1);
  return toPage(results.slice(skipped), limit, { position, hasPrevious: skipped > 0 });
}

async function readBefore(index: TokenReader, plan: Plan, before: Place, limit: number): Promise<PageHits | undefined> {
  const results = await readFirst(index, plan, MAX_SEARCH_RESULTS);
  const place = results.indexOf(before.seq);
  const end = place >= 0 ? place : before.position === undefined ? -1 : before.position - 1;
  if (end < 0 || end > results.length) return undefined;
  const begin = Math.max(0, end - limit);
  return {
    seqs: results.slice(begin, end),
    hasMore: end < countResults(plan),
    hasPrevious: begin > 0,
    position: begin + 1,
  };
}

/** The number of all results of a plan. */
export function countResults({ all, extras }: Plan): number {
  return all.total + extras.corrected.length + extras.partial.length;
}

/** The agents after those of the tiers, best first. */
export function listExtras({ extras }: Plan): number[] {
  return [...extras.corrected, ...extras.partial];
}

/** The first results, at most `limit`. */
async function readFirst(index: TokenReader, plan: Plan, limit: number): Promise<number[]> {
  return [...(await collectFirst(index, plan, limit)), ...listExtras(plan)].slice(0, limit);
}

/** Cuts a page off results, of which there is one more than the page has if others follow. */
function toPage(
  results: readonly number[],
  limit: number,
  { position, hasPrevious }: Pick<PageHits, 'position' | 'hasPrevious'>,
): PageHits {
  return { seqs: results.slice(0, limit), hasMore: results.length > limit, hasPrevious, position };
}
