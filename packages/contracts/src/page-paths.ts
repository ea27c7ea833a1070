export const AGENT_PAGE_PATH = '/agent/:id';
/** Where the page of an agent tells with POST that it is shown, so that the view is counted. */
export const AGENT_VIEW_PATH = `${AGENT_PAGE_PATH}/view`;

export function toAgentPath(id: string): string {
  return AGENT_PAGE_PATH.replace(':id', id);
}

/** The path of the skill that teaches assistants to use the registry. */
export const SKILL_PATH = '/skill.md';

/** The path of the skill with which an assistant lists the agent of its user. */
export const PUBLISH_SKILL_PATH = '/publish/skill.md';
/** The path of the call by which the page of an agent counts a view. */
export function toViewPath(id: string): string {
  return AGENT_VIEW_PATH.replace(':id', id);
}

/** The path of the Atom feed of the agents that were listed or edited last. */
export const FEED_PATH = '/feed.xml';
/** The path of the same feed as a JSON Feed. */
export const JSON_FEED_PATH = '/feed.json';
export const MAX_COMPARED = 4;
export const COMPARE_PARAMETER = 'compare';
/** Most agents of a list that is shared by its address. */
export const MAX_SHARED = 50;
/** The query parameter of the agents of a shared list; without any, of the list that the browser keeps. */
const KEEP_PARAMETER = 'keep';
export const KEPT_PATH = `/?${KEEP_PARAMETER}=`;

/**
 * Parses the agents to compare from the query of the home page in their order: the first four ids, each once. Texts that
 * are no ids are kept, because the page names them; none is longer than an id.
 */
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

/** Builds the path of the page of a shared list, of as many agents as it can have. */
export function toSharedPath(ids: readonly string[]): string {
  return KEPT_PATH + ids.slice(0, MAX_SHARED).map(encodeURIComponent).join(',');
}
