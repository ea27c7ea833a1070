import { CARDS_PER_PAGE, toBrowsePath, toFirstPage, toListCursor, type BrowseParams } from '@agent-registry/contracts';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { AgentList } from '../../api/use-agent-list.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { readLocationState, type LocationState } from '../../navigation/location-state.ts';

/**
 * The cards shown of a list: twelve, and twelve more a press. Their number and where the list starts are in the state of
 * the history entry, so that they survive back and forward. The URL has the cursor of the last press.
 */
export function useShownCards(list: AgentList, params: BrowseParams) {
  const { agents, total, position, hasMore, isFetching, error, loadMore } = list;
  const path = toBrowsePath(params);
  const location = useLocation();
  const navigate = useNavigate();
  const { cardsShown = CARDS_PER_PAGE } = readLocationState(location);
  // The server has rendered the first cards of the list in the URL.
  const limit = useHydrated() ? cardsShown : CARDS_PER_PAGE;
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

  const grid = useRef<HTMLDivElement>(null);
  const focusRequest = useRef<{ path: string; index: number; from: Element | null }>(undefined);
  useLayoutEffect(() => {
    const request = focusRequest.current;
    const firstNewCard = request && grid.current?.querySelectorAll('article, th[scope=row]')[request.index];
    if (!firstNewCard) return;
    focusRequest.current = undefined;
    // The focus stays with a visitor who has moved on meanwhile.
    const hasStayed = [request.from, document.body].includes(document.activeElement);
    if (hasStayed && request.path === path) firstNewCard.querySelector('a')?.focus({ preventScroll: true });
  });

  /** The cursor after the first agents of the list. */
  const cursorAt = (count: number) => {
    const last = agents?.[count - 1];
    return last && toListCursor(params, last, position + count - 1);
  };

  const showMore = (count: number) => {
    const earlier = agents?.slice(0, count - CARDS_PER_PAGE) ?? [];
    const hasAll = earlier.length === agents?.length && !hasMore;
    if (hasAll || isLoading) return;
    focusRequest.current = { path, index: shown.length, from: document.activeElement };
    if (hasFailed) {
      void loadMore();
      return;
    }
    const state: LocationState = {
      keepScroll: true,
      cardsShown: earlier.length + CARDS_PER_PAGE,
      start: { after: params.after, before: params.before, from: params.from },
    };
    void navigate(toBrowsePath({ ...toFirstPage(params), after: cursorAt(earlier.length) }), { replace: true, state });
  };

  return {
    /** For the element around the list: its first new card or row gets the focus. */
    grid,
    shown,
    /** The cursor after the cards that are shown. */
    end: cursorAt(shown.length),
    areAllShown: shown.length === agents?.length && !hasMore,
    /** Whether more agents are being loaded. */
    isLoading,
    /** How many agents are being loaded for this list. */
    awaited: isLoading ? Math.min(limit, total - position + 1) - shown.length : 0,
    /** Whether the last request for more agents failed. */
    hasFailed,
    /** Shows this many cards, twelve more than before; does nothing while agents are loading or when all are shown. */
    showMore,
  };
}
