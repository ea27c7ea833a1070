import type { ListedAgent } from './agent.ts';
import { pickFilters, type AgentFilters } from './filters.ts';
import { MAX_PAGE_SIZE } from './request-limits.ts';
import type { SortOrder } from './sort-orders.ts';

/** A page of a list of agents, or all of it. */
export type Page = {
  agents: ListedAgent[];
  /** The length of the whole list. */
  total: number;
  /** The position of the first agent in the whole list, from 1; undefined if it was not asked for, or is not known. */
  position?: number | undefined;
  /** The cursor after which the next page starts. */
  next?: string | undefined;
  /** The cursor before which the previous page ends. */
  previous?: string | undefined;
  /** Of a search: the number of results with all its words. They come first, unless another order was asked for. */
  full?: number | undefined;
  /** Of a search: its text with the corrections or synonyms that found the first agent. */
  correction?: string | undefined;
  /** Of a search: its text as operators, such as `chat -google`. */
  understood?: string | undefined;
  /** Of a search: the folded words by which it found agents: `word`, `beginning*` or `*part*` of a word. */
  words?: string[] | undefined;
};

/** The procedures that return a `Page`. REST sends its agents as the body, and the rest of it as headers. */
export const pageNames = ['agents.list', 'agents.byCategory', 'agents.search'] as const;

export function returnsPage(procedure: string): procedure is (typeof pageNames)[number] {
  return pageNames.some((name) => name === procedure);
}

export const TOTAL_HEADER = 'X-Total-Count';
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
  fields?: readonly string[] | undefined;
};

/** The headers of a page, whose links continue the request. */
export function pageToHeaders(page: Page, path: string, request: PageQuery): Record<string, string> {
  const { total, position, next, previous, full, correction, understood, words } = page;
  const links = [
    ...(next === undefined ? [] : [toLink('next', { after: next })]),
    ...(previous === undefined ? [] : [toLink('prev', { before: previous })]),
  ];
  return {
    [TOTAL_HEADER]: String(total),
    ...(position !== undefined && { [POSITION_HEADER]: String(position) }),
    ...(links.length > 0 && { Link: links.join(', ') }),
    ...(full !== undefined && { [FULL_MATCHES_HEADER]: String(full) }),
    ...(correction !== undefined && { [CORRECTION_HEADER]: encodeURIComponent(correction) }),
    ...(understood !== undefined && { [UNDERSTOOD_HEADER]: encodeURIComponent(understood) }),
    ...(words && { [MATCHED_WORDS_HEADER]: words.map(encodeURIComponent).join(',') }),
  };

  function toLink(relation: string, cursor: { after: string } | { before: string }): string {
    const { q, correct, website, sort, limit = MAX_PAGE_SIZE, position, fields } = request;
    const filters = pickFilters(request);
    const parameters = { q, correct, ...filters, website, sort, limit, ...cursor, position, fields };
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
