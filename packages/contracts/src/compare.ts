/** Most agents that are compared at once. */
export const MAX_COMPARED = 4;

/** The query parameter of the agents to compare. */
export const COMPARE_PARAMETER = 'compare';

/**
 * Parses the agents to compare from the query of the home page: the first four ids, each once, sorted, so that all orders
 * are one page. Texts that are no ids are kept, because the page names them; none is longer than an id.
 */
export function parseCompared(params: URLSearchParams): string[] {
  const texts = params.getAll(COMPARE_PARAMETER).join(',').toLowerCase();
  const ids = texts
    .match(/[^\p{C},]{1,36}/gu)
    ?.map((text) => text.trim())
    .filter(Boolean);
  return [...new Set(ids)].slice(0, MAX_COMPARED).toSorted();
}

/** Builds the path of the page that compares agents. */
export function toComparePath(ids: readonly string[]): string {
  return `/?${COMPARE_PARAMETER}=${ids.map(encodeURIComponent).join(',')}`;
}
