export const AGENT_PAGE_PATH = '/agent/:id';
/** Where the page of an agent tells with POST that it is shown, so that the view is counted. */
export const AGENT_VIEW_PATH = `${AGENT_PAGE_PATH}/view`;

export function toAgentPath(id: string): string {
  return AGENT_PAGE_PATH.replace(':id', id);
}

export const SKILL_PATH = '/skill.md';

export const PUBLISH_SKILL_PATH = '/publish/skill.md';
export function toViewPath(id: string): string {
  return AGENT_VIEW_PATH.replace(':id', id);
}

export const FEED_PATH = '/feed.xml';
export const JSON_FEED_PATH = '/feed.json';
export const MAX_COMPARED = 4;
export const COMPARE_PARAMETER = 'compare';
export const MAX_SHARED = 50;
/** The query parameter of the agents of a shared list; without any, of the list that the browser keeps. */
const KEEP_PARAMETER = 'keep';
export const KEPT_PATH = `/?${KEEP_PARAMETER}=`;

/** The agents to compare: the first four ids, each once, and texts that are none, which the page names. */
export function parseCompared(params: URLSearchParams): string[] {
  return readIds(params, COMPARE_PARAMETER).slice(0, MAX_COMPARED);
}

/** Parses the agents of a shared list in their order: the first 50, each once; undefined where the query has no such list. */
export function parseShared(params: URLSearchParams): string[] | undefined {
  if (!params.has(KEEP_PARAMETER)) return undefined;
  return readIds(params, KEEP_PARAMETER).slice(0, MAX_SHARED);
}

/** Whether the home page shows agents that visitors have chosen, in place of a list. */
export function hasChosen(params: URLSearchParams): boolean {
  return params.has(KEEP_PARAMETER) || parseCompared(params).length > 0;
}

function readIds(params: URLSearchParams, name: string): string[] {
  const texts = params.getAll(name).join(',').toLowerCase();
  const ids = texts
    .match(/[^\p{C},]{1,36}/gu)
    ?.map((text) => text.trim())
    .filter(Boolean);
  return [...new Set(ids)];
}

export function toComparePath(ids: readonly string[]): string {
  return `/?${COMPARE_PARAMETER}=${ids.map(encodeURIComponent).join(',')}`;
}

export function toSharedPath(ids: readonly string[]): string {
  return KEPT_PATH + ids.slice(0, MAX_SHARED).map(encodeURIComponent).join(',');
}
