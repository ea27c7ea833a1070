import { CARDS_PER_PAGE, toBrowsePath, toFirstPage, toListCursor } from '@agent-registry/contracts';
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useAgentList } from '../../api/use-agent-list.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { readList } from '../../navigation/chosen-list.tsx';
import { readLocationState, type LocationState } from '../../navigation/location-state.ts';

export type List = ReturnType<typeof useList>;

/**
 * The list in the URL, and the cards that are shown of it: twelve, and twelve more a press. Their number and where the list
 * starts are in the state of the history entry, for back and forward. The URL has the cursor of the last press.
 */
export function useList() {
  const location = useLocation();
  const navigate = useNavigate();
  // The server knows the URL only, and has rendered its first cards.
  const { start, cardsShown: limit = CARDS_PER_PAGE } = useHydrated() ? readLocationState(location) : {};
  const urlParams = readList(location.search, useSiteConfig().categories);
  const params = start ? { ...toFirstPage(urlParams), ...start } : urlParams;
  const list = useAgentList(params);
  const { agents, total, totalBound, position, hasMore, isFetching, error, loadMore } = list;
  const path = toBrowsePath(params);
  const last = totalBound ? Infinity : total;
  const shown = agents?.slice(0, limit) ?? [];
  const needsMore = agents !== undefined && limit > agents.length && hasMore;
  const isLoading = needsMore && isFetching;
  const hasFailed = needsMore && error !== null;

  const startLoading = useEffectEvent(() => void loadMore());
  useEffect(() => {
    if (needsMore && error === null && !isFetching) startLoading();
  }, [needsMore, error, isFetching]);

  useEffect(() => {
    if (!hasFailed || isFetching) return;
    window.addEventListener('online', startLoading);
    return () => window.removeEventListener('online', startLoading);
  }, [hasFailed, isFetching]);

  const cursorAt = (count: number) => {
    const last = agents?.[count - 1];
    return last && toListCursor(params, last, position + count - 1);
  };

  const showMore = (count: number) => {
    const earlier = agents?.slice(0, count - CARDS_PER_PAGE) ?? [];
    const hasAll = earlier.length === agents?.length && !hasMore;
    if (hasAll || isLoading) return false;
    if (hasFailed) {
      void loadMore();
      return true;
    }
    const state: LocationState = {
      keepScroll: true,
      cardsShown: earlier.length + CARDS_PER_PAGE,
      start: { after: params.after, before: params.before },
    };
    void navigate(toBrowsePath({ ...toFirstPage(params), after: cursorAt(earlier.length) }), { replace: true, state });
    return true;
  };

  return {
    ...list,
    params,
    path,
    /** Whether the list starts elsewhere than with its first agent. */
    isPart: params.after !== undefined || params.before !== undefined,
    shown,
    /** The position of the last agent that is shown, and the cursor after it. */
    end: position + shown.length - 1,
    next: cursorAt(shown.length),
    /** The position of the last agent of the list; infinity if it is not known. */
    last,
    areAllShown: shown.length === agents?.length && !hasMore,
    isLoading,
    awaited: isLoading ? Math.min(limit, last - position + 1) - shown.length : 0,
    moreError: hasFailed ? error : null,
    /** Shows this many cards, twelve more than before. Returns false while agents are loading and when all are shown. */
    showMore,
  };
}
