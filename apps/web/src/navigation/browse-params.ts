import { isAgentId, isCategoryId, MAX_SEARCH_LENGTH, type CategoryId } from '@agent-registry/contracts';

/** What is browsed on the home page, as its address says it: `?category=`, `?q=` and `?after=`. A category wins over a text. */
export type BrowseParams = {
  category?: CategoryId | undefined;
  /** What is searched for, trimmed; empty when nothing is. */
  text: string;
  /** The id of the agent after which the list begins: the way on without scripts. */
  after?: string | undefined;
};

/** Reads what is browsed from the query of an address; what is unknown there is ignored. */
export function parseBrowseParams(params: URLSearchParams): BrowseParams {
  const category = params.get('category');
  const after = params.get('after') ?? '';
  return {
    category: isCategoryId(category) ? category : undefined,
    text: Array.from((params.get('q') ?? '').trim())
      .slice(0, MAX_SEARCH_LENGTH)
      .join('')
      .trim(),
    after: isAgentId(after) ? after.toLowerCase() : undefined,
  };
}

/** The path of the home page where this is browsed. */
export function toBrowsePath({ category, text, after }: Partial<BrowseParams>): string {
  const query = new URLSearchParams({
    ...(category && { category }),
    ...(text && { q: text }),
    ...(after && { after }),
  });
  return query.size > 0 ? `/?${query.toString()}` : '/';
}
