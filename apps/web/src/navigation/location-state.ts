import type { ListStart } from '@agent-registry/contracts';
import type { Location } from 'react-router-dom';

/** A way back, labelled as in "Back to results for ‘logo’". */
export type BackLink = { path: string; label: string };

/** The state of a history entry. The browser keeps it for back and forward. */
export type LocationState = {
  /** Whether navigating here leaves the page scrolled where it is. */
  keepScroll?: boolean;
  /** Whether navigating here moves the focus to the heading of the page, also if the path stays the same. */
  toHeading?: boolean;
  /** Whether navigating here scrolls to the results if they are not in view. */
  toResults?: boolean;
  cardsShown?: number;
  /** Where the list starts; the cursor of the URL is the place that Load More Agents has reached. */
  start?: ListStart;
  backTo?: BackLink | undefined;
};

export function readLocationState({ state }: Pick<Location, 'state'>): LocationState {
  return (state ?? {}) as LocationState;
}

/** Options of a link or of `navigate`: the heading gets the focus, or the results come into view. */
export const toHeading: { state: LocationState } = { state: { toHeading: true } };
export const toResults: { state: LocationState } = { state: { toResults: true } };

/**
 * Gives the first history entry of a visit a key of its own and no state, unless it is revisited; call it before the router
 * is created, which calls every entry that it did not create "default": two visits would share a scroll position.
 */
export function initHistoryEntry(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const { key } = (window.history.state ?? {}) as { key?: string };
  const isRevisit = key !== undefined && navigation?.type !== 'navigate';
  if (!isRevisit) window.history.replaceState({ key: Math.random().toString(36).slice(2) }, '');
}
