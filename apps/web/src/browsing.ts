import { agentIdSchema, categoryIdSchema, MAX_SEARCH_LENGTH, type CategoryId } from '@agent-registry/contracts';

/** What is browsed on the home page, as its address says it: `?category=`, `?q=` and `?after=`. A category wins over a text. */
export type Browsing = {
  category?: CategoryId | undefined;
  /** What is searched for, trimmed; empty when nothing is. */
  text: string;
  /** The id of the agent after which the list begins: the way on without scripts. */
  after?: string | undefined;
};

/** Reads what is browsed from the query of an address; what is unknown there is ignored. */
export function readBrowsing(params: URLSearchParams): Browsing {
  return {
    category: categoryIdSchema.safeParse(params.get('category')).data,
    text: (params.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH).trim(),
    after: agentIdSchema.safeParse(params.get('after')).data,
  };
}

/** The path of the home page where this is browsed. */
export function toBrowsePath({ category, text, after }: Partial<Browsing>): string {
  const query = new URLSearchParams({
    ...(category && { category }),
    ...(text && { q: text }),
    ...(after && { after }),
  });
  return query.size > 0 ? `/?${query.toString()}` : '/';
}
