import { categoryIdSchema, MAX_SEARCH_LENGTH, type CategoryId } from '@agent-registry/contracts';
import { useSearchParams } from 'react-router-dom';
import { useAgentList } from '../../agent-list.ts';

/**
 * What is browsed, as the URL says it (`?category=` and `?q=`), and the agents that match.
 * A category wins over a search text.
 */
export function useBrowse() {
  const [params, setParams] = useSearchParams();
  const category = categoryIdSchema.safeParse(params.get('category')).data;
  const text = (params.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH).trim();

  const results = useAgentList({ category, text });

  const show = (next: { category?: CategoryId | undefined; q?: string }) => {
    const given = Object.entries(next).filter((entry): entry is [string, string] => !!entry[1]);
    // The same again is no new place in the history.
    const isSame = new URLSearchParams(given).toString() === params.toString();
    setParams(given, { preventScrollReset: true, replace: isSame });
  };

  return {
    category,
    text,
    results,
    /** Chooses a category, which clears the search text; the active one is cleared. */
    toggleCategory: (id: CategoryId) => (id === category ? show({ q: text }) : show({ category: id })),
    /** Searches for a text; while a category is active it stays. Blank text goes back to the whole list. */
    search: (q: string) => show({ category, q: q.trim() }),
    /** Searches for the text in all agents in place of a category. */
    searchAll: () => show({ q: text }),
  };
}
