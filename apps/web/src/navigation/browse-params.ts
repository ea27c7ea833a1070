import { isAgentId, isCategoryId, MAX_SEARCH_LENGTH, type CategoryId } from '@agent-registry/contracts';

/** The list on the home page, from the URL: `?category=`, `?q=` and `?after=`. A category wins over search text. */
export type BrowseParams = {
  category?: CategoryId | undefined;
  /** The trimmed search text; empty without a search. */
  text: string;
  /** Cursor: the list starts after the agent with this id. It is the pagination without scripts. */
  after?: string | undefined;
};

/** Parses the query of a URL; invalid parameters are ignored. */
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

/** Builds the path of the home page with a list. */
export function toBrowsePath({ category, text, after }: Partial<BrowseParams>): string {
  const query = new URLSearchParams({
    ...(category && { category }),
    ...(text && { q: text }),
    ...(after && { after }),
  });
  return query.size > 0 ? `/?${query.toString()}` : '/';
}
