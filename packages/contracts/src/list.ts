import type { ListedAgent, Agent } from './agent.ts';
import { pickFilters, type AgentFilters, type SortOrder, sortValues, toSortName } from './filters.ts';
import { MAX_PAGE_SIZE } from './request-limits.ts';
import { isAgentId } from './fields.ts';
import type { TotalBound } from './format.ts';
import { isStorable } from './characters.ts';

export type Page = {
  agents: ListedAgent[];
  total: number;
  /** Of a search with more results than are counted (`MAX_COUNTED_RESULTS`): `total` is their number at least. */
  totalBound?: TotalBound | undefined;
  /** The position of the first agent in the whole list, from 1; undefined if it was not asked for, or is not known. */
  position?: number | undefined;
  next?: string | undefined;
  previous?: string | undefined;
  /** Of a search: the number of results with all its words that come before those with some, unless in another order. */
  full?: number | undefined;
  /** Of a search: its text with the corrections of typing errors that found the first agent. */
  correction?: string | undefined;
  /** Of a search: its text as operators, such as `chat -google`. */
  understood?: string | undefined;
  /** Of a search: the folded words by which it found agents: `word`, `beginning*` or `*part*` of a word. */
  words?: string[] | undefined;
};

export const TOTAL_HEADER = 'X-Total-Count';
export const TOTAL_BOUND_HEADER = 'X-Total-Bound';
export const POSITION_HEADER = 'X-First-Position';
export const FULL_MATCHES_HEADER = 'X-Full-Matches';
export const CORRECTION_HEADER = 'X-Corrected-Query';
export const UNDERSTOOD_HEADER = 'X-Understood-Query';
export const MATCHED_WORDS_HEADER = 'X-Matched-Words';
/** Longest value of that header, in characters; the words that were searched come first. */
export const MAX_MATCHED_WORDS_LENGTH = 1_000;

/** The words of a search that its header has room for; undefined without words. */
export function fitWords(words: readonly string[]): string[] | undefined {
  // Each takes a comma, too, but the first.
  let room = MAX_MATCHED_WORDS_LENGTH + 1;
  const fitting: string[] = [];
  for (const word of words) {
    const length = encodeURIComponent(word).length + 1;
    if (length > room) continue;
    fitting.push(word);
    room -= length;
  }
  return fitting.length > 0 ? fitting : undefined;
}

/** The request of a page, parsed, as far as it is not in the path. */
type PageQuery = AgentFilters & {
  q?: string | undefined;
  correct?: boolean | undefined;
  website?: string | undefined;
  sort?: SortOrder | undefined;
  limit?: number | undefined;
  position?: boolean | undefined;
};

export function pageToHeaders(page: Page, path: string, request: PageQuery): Record<string, string> {
  const { total, totalBound, position, next, previous, full, correction, understood, words } = page;
  const links = [next && toLink('next', { after: next }), previous && toLink('prev', { before: previous })];
  const link = links.filter(Boolean).join(', ');
  return {
    [TOTAL_HEADER]: String(total),
    ...(totalBound && { [TOTAL_BOUND_HEADER]: totalBound }),
    ...(position !== undefined && { [POSITION_HEADER]: String(position) }),
    ...(link && { Link: link }),
    ...(full !== undefined && { [FULL_MATCHES_HEADER]: String(full) }),
    ...(correction !== undefined && { [CORRECTION_HEADER]: encodeURIComponent(correction) }),
    ...(understood !== undefined && { [UNDERSTOOD_HEADER]: encodeURIComponent(understood) }),
    ...(words && { [MATCHED_WORDS_HEADER]: words.map(encodeURIComponent).join(',') }),
  };

  function toLink(relation: string, cursor: { after: string } | { before: string }): string {
    const { q, correct, website, sort, limit = MAX_PAGE_SIZE, position } = request;
    const filters = pickFilters(request);
    const parameters = { q, correct, ...filters, website, sort, limit, ...cursor, position };
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, String(value));
    return `<${path}?${search.toString()}>; rel="${relation}"`;
  }
}

/** The page of a response: its agents, and what its headers say. Without headers it is a whole list. */
export function pageFromHeaders(agents: ListedAgent[], headers: Pick<Headers, 'get'>): Page {
  return {
    agents,
    total: readNumber(TOTAL_HEADER) ?? agents.length,
    totalBound: headers.get(TOTAL_BOUND_HEADER) === 'lower' ? 'lower' : undefined,
    position: readNumber(POSITION_HEADER),
    next: readCursor('next', 'after'),
    previous: readCursor('prev', 'before'),
    full: readNumber(FULL_MATCHES_HEADER),
    correction: readTexts(CORRECTION_HEADER)?.[0],
    understood: readTexts(UNDERSTOOD_HEADER)?.[0],
    words: readTexts(MATCHED_WORDS_HEADER),
  };

  function readNumber(name: string): number | undefined {
    const value = headers.get(name);
    return value === null ? undefined : Number(value);
  }

  function readTexts(name: string): string[] | undefined {
    const value = headers.get(name);
    return value ? value.split(',').map(decodeURIComponent) : undefined;
  }

  function readCursor(relation: string, parameter: string): string | undefined {
    const link = new RegExp(String.raw`<[^>?]*\?([^>]*)>; rel="${relation}"`).exec(headers.get('Link') ?? '');
    return new URLSearchParams(link?.[1]).get(parameter) ?? undefined;
  }
}

/** The order that a cursor belongs to; `best` is that of a search without another order. */
export type CursorOrder = SortOrder | 'best';

/** An agent, and its place when the cursor was made, at which a list goes on if the agent has left it. */
export type Cursor = { id: string; place?: { order: CursorOrder; values: readonly (string | number)[] } | undefined };

export type CursorAgent = Pick<Agent, 'id' | 'name' | 'rating' | 'reviewCount' | 'createdAt'>;

export const MAX_CURSOR_LENGTH = 4_000;
const VERSION = '1.';

type PlaceValue = 'createdAt' | 'rating' | 'reviewCount' | 'sortName' | 'position';

const placeValues: Record<CursorOrder, readonly PlaceValue[]> = {
  newest: ['createdAt'],
  rating: ['rating', 'reviewCount', 'createdAt'],
  reviews: ['reviewCount', 'rating', 'createdAt'],
  name: ['sortName'],
  best: ['position'],
};

const MAX_COUNT = 2_147_483_647;

/** Whether a value can be one of an agent: an engine compares it with a column, whose type it must have. */
const isPossible: Record<PlaceValue, (value: unknown) => boolean> = {
  createdAt: (value) => typeof value === 'string' && isTime(value),
  rating: (value) => typeof value === 'number' && value >= 0 && value <= 5 && Number(value.toFixed(1)) === value,
  reviewCount: (value) => isCount(value),
  sortName: (value) => typeof value === 'string' && isStorable(value),
  position: (value) => isCount(value) && value !== 0,
};

/** @param position of the agent in the list, from 1; only the order `best` needs it */
export function toCursor(agent: CursorAgent, order: CursorOrder, position = 1): string {
  const all = { ...agent, sortName: toSortName(agent.name), position };
  const values = placeValues[order].map((name) => all[name]);
  const bytes = new TextEncoder().encode(JSON.stringify([order, agent.id, ...values]));
  const base64 = btoa(String.fromCharCode(...bytes));
  return VERSION + base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function parseCursor(text: string): Cursor | undefined {
  if (isAgentId(text)) return { id: text.toLowerCase() };
  if (!text.startsWith(VERSION) || text.length > MAX_CURSOR_LENGTH) return undefined;
  const parts = parseParts(text.slice(VERSION.length));
  if (!Array.isArray(parts)) return undefined;
  const [order, id, ...values] = parts as unknown[];
  if (typeof id !== 'string' || !isAgentId(id) || !isOrder(order)) return undefined;
  const names = placeValues[order];
  if (values.length !== names.length || !names.every((name, at) => isPossible[name](values[at]))) return undefined;
  return { id: id.toLowerCase(), place: { order, values: values as (string | number)[] } };
}

function parseParts(base64: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function isOrder(value: unknown): value is CursorOrder {
  return value === 'best' || sortValues.some((order) => order === value);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT;
}

function isTime(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}
