import type { CategoryId } from '@agent-registry/contracts';
import { useLocation } from 'react-router-dom';
import { useAgentList } from '../../api/use-agent-list.ts';
import { toBrowsePath, toFirstPage } from '../../navigation/browse-params.ts';
import { readLocationState } from '../../navigation/location-state.ts';
import { useSearch } from '../../navigation/use-search.ts';

/** The list in the URL, its agents, and how to change it. */
export function useBrowse() {
  const { search, params: urlParams } = useSearch();
  const { start } = readLocationState(useLocation());
  // While cards are added, the URL follows them, and the list starts where it has started.
  const params = start ? { ...toFirstPage(urlParams), ...start } : urlParams;
  const { category } = params;
  const firstPage = toFirstPage(params);
  return {
    params,
    list: useAgentList(params),
    /** The path that selects a category, which clears the search text, or clears the selected one. */
    toggleCategoryPath: (id: CategoryId) =>
      toBrowsePath(id === category ? { ...firstPage, category: undefined } : { ...firstPage, category: id, text: '' }),
    /** The path that searches all agents instead of a category. */
    searchAllPath: toBrowsePath({ ...firstPage, category: undefined }),
    /** The path that searches for the text as typed, without corrections. */
    asTypedPath: toBrowsePath({ ...firstPage, correct: false }),
    /** Searches for a text; a selected category stays. Blank text leads back to the list without a search. */
    search,
  };
}
