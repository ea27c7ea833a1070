import { useLocation, useNavigate } from 'react-router-dom';
import { parseBrowseParams, toBrowsePath, toFirstPage } from './browse-params.ts';
import { toResults } from './location-state.ts';

/** The list in the URL, and how to search. On other pages than home there is no list. */
export function useSearch() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const params = parseBrowseParams(new URLSearchParams(pathname === '/' ? search : ''));
  return {
    params,
    /** Searches for a text; category, filters and order stay. Blank text leads back to the list without a search. */
    search: (typed: string) => {
      const path = toBrowsePath(toFirstPage({ ...params, text: typed.trim(), correct: undefined }));
      if (pathname !== '/' || path !== toBrowsePath(params)) void navigate(path, toResults);
    },
  };
}
