import {
  apiAccessValues,
  MAX_NAME_LENGTH,
  pricingModelValues,
  type ApiAccess,
  type PricingModel,
} from './agent-fields.ts';
import { isCategoryId, type Category, type CategoryId } from './category.ts';
import { isStorable } from './characters.ts';
import { parseCursor, toCursor, type CursorAgent } from './cursor.ts';
import {
  ALL_FILTER_PARAMETERS,
  isCapabilityFilter,
  isDay,
  sortValues,
  splitFilter,
  type AgentFilters,
  type SortOrder,
} from './list-options.ts';
import { MAX_SEARCH_LENGTH } from './request-limits.ts';
import { provedValues, type Proved } from './website-proof.ts';

/** The list on the home page, from the URL. A category wins over search text; filters and order apply to both. */
export type BrowseParams = {
  category?: CategoryId | undefined;
  /** The trimmed search text; empty without a search. */
  text: string;
  /** False for the search as typed, without corrections. */
  correct?: false | undefined;
  /** The accepted values, in the order of the registry; undefined without the filter. */
  pricing?: readonly PricingModel[] | undefined;
  apiAccess?: readonly ApiAccess[] | undefined;
  proved?: readonly Proved[] | undefined;
  /** A capability, as it is spelled in the URL. */
  capability?: string | undefined;
  /** The UTC day on or after which the agents were first listed. */
  since?: string | undefined;
  /** Undefined for the order of the registry: best match first in a search, else newest first. */
  sort?: SortOrder | undefined;
  /** Undefined for cards. */
  view?: ListView | undefined;
} & ListStart;

/** How a page shows a list other than as cards. The API knows no views. */
export type ListView = 'rows';

/** Where a list starts: after or before a cursor, or from a name on; else with its first agent. */
export type ListStart = {
  after?: string | undefined;
  before?: string | undefined;
  /** In the order of names only. */
  from?: string | undefined;
};

/**
 * Parses the query of the home page; undefined for a list that cannot be, such as an unknown order, two cursors or two
 * texts. Empty parameters, as forms send them, count as absent, texts that are too long are cut, and unknown parameters are
 * ignored. Without zod, which the first view does not load; the server parses pages with it, too.
 */
export function parseBrowseParams(params: URLSearchParams, categories: readonly Category[]): BrowseParams | undefined {
  let isRepeated = false;
  const read = (name: string) => {
    const [value, ...others] = params.getAll(name).flatMap((text) => text.trim() || []);
    isRepeated ||= others.length > 0;
    return value;
  };
  const category = read('category');
  const correct = read('correct') ?? 'true';
  const list = {
    category,
    text: shorten(read('q'), MAX_SEARCH_LENGTH),
    correct: correct === 'false' ? (false as const) : undefined,
    pricing: readFilter(params.getAll('pricing'), pricingModelValues),
    apiAccess: readFilter(params.getAll('apiAccess'), apiAccessValues),
    proved: readFilter(params.getAll('proved'), provedValues),
    capability: read('capability'),
    since: read('since'),
    sort: read('sort'),
    view: read('view'),
    after: read('after'),
    before: read('before'),
    from: shorten(read('from'), MAX_NAME_LENGTH) || undefined,
  };
  const isKnown = category === undefined || isCategoryId(categories, category);
  return isKnown && !isRepeated && ['true', 'false'].includes(correct) && isPossible(list)
    ? (list as BrowseParams)
    : undefined;
}

/** Whether the query of the home page names a category that does not exist. */
export function hasUnknownCategory(params: URLSearchParams, categories: readonly Category[]): boolean {
  const category = params.getAll('category').join(' ').trim();
  return category !== '' && !isCategoryId(categories, category);
}

type GivenList = Partial<Record<keyof BrowseParams, unknown>> &
  Pick<BrowseParams, 'text' | 'capability' | 'since'> &
  ListStart;

function isPossible(list: GivenList) {
  const { text, pricing, apiAccess, proved, capability, since, sort, view, after, before, from } = list;
  return (
    isStorable(text + (capability ?? '') + (from ?? '')) &&
    (view === undefined || view === 'rows') &&
    (sort === undefined || sortValues.some((value) => value === sort)) &&
    pricing !== null &&
    apiAccess !== null &&
    proved !== null &&
    (capability === undefined || isCapabilityFilter(capability)) &&
    (since === undefined || isDay(since)) &&
    [after, before].every((cursor) => cursor === undefined || parseCursor(cursor)) &&
    [after, before, from].filter((start) => start !== undefined).length <= 1 &&
    (from === undefined || sort === 'name')
  );
}

function shorten(text: string | undefined, maxLength: number): string {
  return Array.from(text ?? '')
    .slice(0, maxLength)
    .join('')
    .trim();
}

/** The values of a filter, in the order of the registry; undefined for none, null if one of them is unknown. */
function readFilter<Value extends string>(given: string[], values: readonly Value[]): Value[] | undefined | null {
  const wanted = splitFilter(given).filter((value) => value !== '');
  if (wanted.length === 0) return undefined;
  const found = values.filter((value) => wanted.includes(value));
  return found.length === wanted.length ? found : null;
}

/** Writes the cursor of an agent in a list, by its position from 1. */
export function toListCursor({ category, text, sort }: Partial<BrowseParams>, agent: CursorAgent, position: number) {
  return toCursor(agent, sort ?? (text && category === undefined ? 'best' : 'newest'), position);
}

/** Builds the path of the home page with a list. */
export function toBrowsePath(params: Partial<BrowseParams>): string {
  const query = new URLSearchParams(toBrowseFields(params));
  // A comma needs no encoding.
  return query.size > 0 ? `/?${query.toString().replaceAll('%2C', ',')}` : '/';
}

/** Builds the path with query of the feed of a list: of all its agents, in the order of a feed. */
export function toFeedPath(path: string, { category, text, ...params }: Partial<BrowseParams>): string {
  const { correct, pricing, apiAccess, proved, capability, since } = params;
  // A category wins over a text.
  const list = {
    category,
    text: category === undefined ? text : undefined,
    correct,
    pricing,
    apiAccess,
    proved,
    capability,
    since,
  };
  return path + toBrowsePath(list).slice(1);
}

/** The parameters of a list as names and values, for a URL or for the hidden fields of a form. */
export function toBrowseFields(params: Partial<BrowseParams>): [name: string, value: string][] {
  const { category, text, correct, pricing, apiAccess, proved, capability, since, sort, view, after, before, from } =
    params;
  const fields: [string, string | undefined][] = [
    ['category', category],
    ['q', text],
    ['correct', text && correct === false ? 'false' : undefined],
    ['pricing', pricing?.join(',')],
    ['apiAccess', apiAccess?.join(',')],
    ['proved', proved?.join(',')],
    ['capability', capability],
    ['since', since],
    ['sort', sort],
    ['view', view],
    ['after', after],
    ['before', before],
    ['from', from],
  ];
  return fields.flatMap(([name, value]) => (value ? [[name, value]] : []));
}

/** The same list from its first agent. */
export function toFirstPage(params: BrowseParams): BrowseParams {
  return { ...params, after: undefined, before: undefined, from: undefined };
}

/** Whether a list is a part of the directory: a search, a category or a filter. */
export function isNarrowed({ category, text, ...params }: BrowseParams): boolean {
  return category !== undefined || text !== '' || isFiltered(params);
}

/** Whether a list has a filter. */
export function isFiltered(params: AgentFilters): boolean {
  return ALL_FILTER_PARAMETERS.some((name) => params[name] !== undefined);
}

/** The same list without its filters. */
export function withoutFilters(params: BrowseParams): BrowseParams {
  return {
    ...params,
    pricing: undefined,
    apiAccess: undefined,
    proved: undefined,
    capability: undefined,
    since: undefined,
  };
}
