import {
  apiAccessValues,
  cutText,
  isAgentId,
  isCategoryId,
  MAX_NAME_LENGTH,
  MAX_SEARCH_LENGTH,
  pricingModelValues,
  sortValues,
  splitFilter,
  type ApiAccess,
  type CategoryId,
  type PricingModel,
  type SortOrder,
} from '@agent-registry/contracts';

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
  /** Undefined for the order of the registry: best match first in a search, else newest first. */
  sort?: SortOrder | undefined;
} & ListStart;

/** Where a list starts: after an agent, with the page before an agent, or from a name on; else with its first agent. */
export type ListStart = {
  after?: string | undefined;
  before?: string | undefined;
  /** In the order of names only. */
  from?: string | undefined;
};

/** Parses the query of a URL; invalid parameters are ignored. */
export function parseBrowseParams(params: URLSearchParams): BrowseParams {
  const category = params.get('category');
  const sort = sortValues.find((value) => value === params.get('sort'));
  return {
    category: isCategoryId(category) ? category : undefined,
    text: cutSearch(params.get('q')?.trim() ?? ''),
    correct: params.get('correct') === 'false' ? false : undefined,
    pricing: parseFilter(params.getAll('pricing'), pricingModelValues),
    apiAccess: parseFilter(params.getAll('apiAccess'), apiAccessValues),
    sort,
    ...parseStart(params, sort),
  };
}

function parseStart(params: URLSearchParams, sort: SortOrder | undefined): ListStart {
  const after = parseCursor(params.get('after'));
  if (after) return { after };
  const before = parseCursor(params.get('before'));
  if (before) return { before };
  const from = sort === 'name' && cutText(params.get('from')?.trim() ?? '', MAX_NAME_LENGTH).trim();
  return from ? { from } : {};
}

/** Cuts a search text where the call does, which counts code points. */
function cutSearch(text: string): string {
  return Array.from(text).slice(0, MAX_SEARCH_LENGTH).join('').trim();
}

function parseCursor(id: string | null): string | undefined {
  return id !== null && isAgentId(id) ? id.toLowerCase() : undefined;
}

function parseFilter<Value extends string>(given: string[], values: readonly Value[]): Value[] | undefined {
  const wanted = splitFilter(given);
  const found = values.filter((value) => wanted.includes(value));
  return found.length > 0 ? found : undefined;
}

/** Builds the path of the home page with a list. */
export function toBrowsePath(params: Partial<BrowseParams>): string {
  const query = new URLSearchParams(toBrowseFields(params));
  // A comma needs no encoding.
  return query.size > 0 ? `/?${query.toString().replaceAll('%2C', ',')}` : '/';
}

/** The parameters of a list as names and values, for a URL or for the hidden fields of a form. */
export function toBrowseFields(params: Partial<BrowseParams>): [name: string, value: string][] {
  const { category, text, correct, pricing, apiAccess, sort, after, before, from } = params;
  const fields: [string, string | undefined][] = [
    ['category', category],
    ['q', text],
    ['correct', text && correct === false ? 'false' : undefined],
    ['pricing', pricing?.join(',')],
    ['apiAccess', apiAccess?.join(',')],
    ['sort', sort],
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
export function isNarrowed({ category, text, pricing, apiAccess }: BrowseParams): boolean {
  return category !== undefined || text !== '' || pricing !== undefined || apiAccess !== undefined;
}
