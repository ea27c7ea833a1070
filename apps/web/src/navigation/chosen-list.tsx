import {
  parseBrowseParams,
  toBrowsePath,
  toFirstPage,
  type BrowseParams,
  type Category,
} from '@agent-registry/contracts';
import { useState, type ReactNode } from 'react';
import { useLocation, useNavigate, type Location } from 'react-router-dom';
import { createRequiredContext } from '../lib/required-context.ts';
import { useSiteConfig } from '../lib/site.ts';
import { toResults } from './location-state.ts';

type ChosenList = {
  chosen: BrowseParams;
  /** Shows a list as chosen while the navigation to it is rendered; call it in the event that navigates. */
  setChosen: (list: BrowseParams) => void;
};

const [ChosenListContext, useChosenListContext] = createRequiredContext<ChosenList>('The chosen list');

/** The list in the query of a URL; all agents where it names a list that cannot be. */
export function readList(search: string, categories: readonly Category[]): BrowseParams {
  return parseBrowseParams(new URLSearchParams(search), categories) ?? { text: '' };
}

/** React Router renders a navigation as a transition. Until then, the controls of browsing show the choice at once. */
export function ChosenListProvider({ children }: { children: ReactNode }) {
  const location = useLocation();
  const { categories } = useSiteConfig();
  const [choice, setChoice] = useState<{ list: BrowseParams; at: Location }>();
  // A choice counts until the next location is rendered.
  const chosen =
    choice?.at === location ? choice.list : readList(location.pathname === '/' ? location.search : '', categories);
  const setChosen = (list: BrowseParams) => setChoice({ list, at: location });
  return <ChosenListContext value={{ chosen, setChosen }}>{children}</ChosenListContext>;
}

/** The chosen list: that of the URL, or the one whose agents are being rendered. On other pages than home there is none. */
export function useChosenList() {
  const { chosen, setChosen } = useChosenListContext();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const withChange = (change: Partial<BrowseParams>): BrowseParams => ({ ...toFirstPage(chosen), ...change });
  const choose = (change: Partial<BrowseParams>) => {
    const list = withChange(change);
    setChosen(list);
    void navigate(toBrowsePath(list), toResults);
  };
  return {
    chosen,
    setChosen,
    withChange,
    choose,
    /** Searches for a text; category, filters and order stay. Blank text leads back to the list without a search. */
    search: (typed: string) => {
      const change = { text: typed.trim(), correct: undefined };
      if (pathname !== '/' || toBrowsePath(withChange(change)) !== toBrowsePath(chosen)) choose(change);
    },
  };
}
