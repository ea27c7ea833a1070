import type { CategoryId } from '@agent-registry/contracts';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useAgentList } from '../../api/use-agent-list.ts';
import { parseBrowseParams, toBrowsePath } from '../../navigation/browse-params.ts';
import { keepScroll } from '../../navigation/use-scroll-restoration.ts';

/** What is browsed, as the URL says it, the agents that match, and the ways on from there. */
export function useBrowse() {
  const address = useLocation();
  const navigate = useNavigate();
  const browseParams = parseBrowseParams(new URLSearchParams(address.search));
  const { category, text } = browseParams;
  const here = toBrowsePath(browseParams);
  const results = useAgentList(browseParams);

  return {
    ...browseParams,
    results,
    /** Where choosing a category leads, which clears the search text; the active one is cleared. */
    toToggled: useCallback(
      (id: CategoryId) => toBrowsePath(id === category ? { text } : { category: id }),
      [category, text],
    ),
    /** Searches for a text; while a category is active it stays. Blank text goes back to the whole list. */
    search: useCallback(
      (typed: string) => {
        const path = toBrowsePath({ category, text: typed.trim() });
        // The same again is no new place in the history.
        void navigate(path, { ...keepScroll, replace: path === here });
      },
      [category, here, navigate],
    ),
    /** Where the text is searched for in all agents in place of a category. */
    toSearchAll: toBrowsePath({ text }),
  };
}
