import { isAgentId } from './fields.ts';
import { isCategoryId, type Category, type CategoryId } from './category.ts';
import { parseCursor, toCursor, type CursorAgent } from './list.ts';
import {
  filters,
  pickFilters,
  readFilter,
  readOne,
  readText,
  type AgentFilters,
  type FilterName,
  type ReadParameter,
  sortValues,
  type SortOrder,
} from './filters.ts';
import { MAX_QUERY_BYTES, MAX_QUERY_LENGTH } from './request-limits.ts';

/** The list on the home page, from the URL. A category wins over search text; filters and order apply to both. */
export type BrowseParams = AgentFilters & {
  category?: CategoryId | undefined;
  text: string;
  /** False for the search as typed, without corrections. */
  correct?: false | undefined;
  /** Undefined for the order of the registry: best match first in a search, else newest first. */
  sort?: SortOrder | undefined;
  view?: ListView | undefined;
} & ListStart;

/** How a page shows a list other than as cards. The API knows no views. */
export type ListView = 'rows';

/** Where a list starts: after or before a cursor; else with its first agent. */
export type ListStart = { after?: string | undefined; before?: string | undefined };

type ListParameter = FilterName | keyof ListStart | 'sort' | 'correct';

const readCursor: ReadParameter = (given) => {
  const cursor = readOne(given, (text) => parseCursor(text) !== undefined);
  return cursor && isAgentId(cursor) ? cursor.toLowerCase() : cursor;
};

/** How the parameters of a list are read, which pages and calls have in common. */
export const listParameters = {
  ...(Object.fromEntries(
    filters.map((filter): [FilterName, ReadParameter] => [filter.name, (given) => readFilter(filter, given)]),
  ) as Record<FilterName, ReadParameter>),
  sort: (given) => readOne(given, (text) => sortValues.some((value) => value === text)),
  correct: (given) => {
    const value = readOne(given, (text) => text === 'true' || text === 'false');
    return value && value === 'true';
  },
  after: readCursor,
  before: readCursor,
} satisfies Record<ListParameter, ReadParameter>;

export function hasOneStart({ after, before }: ListStart): boolean {
  return after === undefined || before === undefined;
}

/** Undefined for a list that cannot be. Without zod, which the first view does not load. */
export function parseBrowseParams(params: URLSearchParams, categories: readonly Category[]): BrowseParams | undefined {
  const read = Object.entries(listParameters).map(([name, readValue]) => [name, readValue(params.getAll(name))]);
  const { correct, ...list } = Object.fromEntries(read) as BrowseParams & { correct: boolean | undefined | null };
  const text = readText(params.getAll('q'), isSearchText);
  const category = readOne(params.getAll('category'), (id) => isCategoryId(categories, id));
  const view = readOne(params.getAll('view'), (name) => name === 'rows');
  const values = [...Object.values(list), correct, text, category, view];
  if (values.includes(null) || !hasOneStart(list)) return undefined;
  return {
    ...list,
    category: category as CategoryId | undefined,
    text: text ?? '',
    correct: correct === false ? false : undefined,
    view: view as ListView | undefined,
  };
}

export function hasUnknownCategory(params: URLSearchParams, categories: readonly Category[]): boolean {
  const category = params.getAll('category').join(' ').trim();
  return category !== '' && !isCategoryId(categories, category);
}

function isSearchText(text: string): boolean {
  return Array.from(text).length <= MAX_QUERY_LENGTH && encodeURIComponent(text).length <= MAX_QUERY_BYTES;
}

/** Writes the cursor of an agent in a list, by its position from 1. */
export function toListCursor({ category, text, sort }: Partial<BrowseParams>, agent: CursorAgent, position: number) {
  return toCursor(agent, sort ?? (text && category === undefined ? 'best' : 'newest'), position);
}

export function toBrowsePath(params: Partial<BrowseParams>): string {
  const query = new URLSearchParams(toBrowseFields(params));
  // A comma needs no encoding.
  return query.size > 0 ? `/?${query.toString().replaceAll('%2C', ',')}` : '/';
}

/** Builds the path with query of the feed of a list: of all its agents, in the order of a feed. */
export function toFeedPath(path: string, { category, text, correct, ...params }: Partial<BrowseParams>): string {
  // A category wins over a text.
  const subject = category === undefined ? { text, correct } : { category };
  return path + toBrowsePath({ ...subject, ...pickFilters(params) }).slice(1);
}

/** The subject of a list as calls take it, of which a category wins over a text; of all agents it is empty. */
export function toSubject({ category, text, correct }: Partial<BrowseParams>): Subject {
  if (category) return { category };
  return text ? { q: text, ...(correct === false && { correct }) } : {};
}

type Subject =
  | { category: CategoryId; q?: never }
  | { category?: never; q: string; correct?: false }
  | { category?: never; q?: never };

export function toFacetsRequest(list: Partial<BrowseParams>): Subject & AgentFilters {
  return { ...toSubject(list), ...pickFilters(list) };
}

/** The parameters of a list as names and values, for a URL or for the hidden fields of a form. */
export function toBrowseFields(params: Partial<BrowseParams>): [name: string, value: string][] {
  const { category, text, correct, sort, view, after, before } = params;
  const fields: [string, string | undefined][] = [
    ['category', category],
    ['q', text],
    ['correct', text && correct === false ? 'false' : undefined],
    ...filters.map(({ name }): [string, string | undefined] => [name, params[name]?.toString()]),
    ['sort', sort],
    ['view', view],
    ['after', after],
    ['before', before],
  ];
  return fields.flatMap(([name, value]) => (value ? [[name, value]] : []));
}

export function toFirstPage<List extends ListStart>(params: List): List {
  return { ...params, after: undefined, before: undefined };
}

/** Whether a list is a part of the directory: a search, a category or a filter. */
export function isNarrowed({ category, text, ...params }: BrowseParams): boolean {
  return category !== undefined || text !== '' || isFiltered(params);
}

export function isFiltered(params: AgentFilters): boolean {
  return filters.some(({ name }) => params[name] !== undefined);
}

export function withoutFilters(params: BrowseParams): BrowseParams {
  return { ...params, ...Object.fromEntries(filters.map(({ name }) => [name, undefined])) };
}
