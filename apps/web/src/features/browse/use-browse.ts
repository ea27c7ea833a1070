import type { CategoryId } from '@agent-registry/contracts';
import { useLocation, useNavigate } from 'react-router-dom';
import { useAgentList } from '../../api/use-agent-list.ts';
import { parseBrowseParams, toBrowsePath } from '../../navigation/browse-params.ts';
import { keepScroll } from '../../navigation/location-state.ts';

/** The list in the URL, its agents, and how to change it. */
export function useBrowse() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = parseBrowseParams(new URLSearchParams(search));
  const { category, text } = params;
  const list = useAgentList(params);

  return {
    params,
    list,
    /** The path that selects a category, which clears the search text, or clears the selected one. */
    toggleCategoryPath: (id: CategoryId) => toBrowsePath(id === category ? { text } : { category: id }),
    /** The path that searches all agents instead of a category. */
    searchAllPath: toBrowsePath({ text }),
    /** Searches for a text; a selected category stays. Blank text leads back to the whole list. */
    search: (typed: string) => {
      const path = toBrowsePath({ category, text: typed.trim() });
      if (path !== toBrowsePath(params)) void navigate(path, keepScroll);
    },
  };
}
