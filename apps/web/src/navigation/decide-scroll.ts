import type { Location } from 'react-router-dom';
import { readLocationState } from './location-state.ts';

/** How far a page was scrolled and how tall it was, in CSS pixels. */
export type ScrollPosition = { top: number; pageHeight: number };

/** Where a navigation scrolls to. */
export type ScrollTarget =
  | { to: 'stay' }
  | { to: 'top' }
  /** The results, unless they are in view; on a new page as seen from its top. */
  | { to: 'results'; fromTop: boolean }
  /** The element in the hash. On the first page the browser has scrolled there, unless the page is still loading. */
  | { to: 'hash'; isSmooth: boolean; onlyIfLoading: boolean }
  /** On the first page the browser has restored the position, and the visitor may have scrolled since. */
  | { to: 'position'; position: ScrollPosition; onlyIfNear: boolean };

/** What a navigation focuses: nothing, the page, its heading, the element in the hash, or the link to a path, else the page. */
export type FocusTarget = 'stay' | 'page' | 'heading' | 'hash' | { linkTo: string };

/** The part of a location that decides. */
export type Place = Pick<Location, 'pathname' | 'hash' | 'state'>;

/**
 * Decides where a navigation scrolls to and what it focuses.
 * @param location the new location; its hash is empty if the page has no such element
 * @param previous the location before; undefined on the first page of a visit
 * @param position the saved position of a history entry that back, forward or reload returns to
 */
export function decideScroll(
  location: Place,
  previous: Pick<Place, 'pathname'> | undefined,
  position: ScrollPosition | undefined,
): { scroll: ScrollTarget; focus: FocusTarget } {
  const isFirstPage = previous === undefined;
  const isNewPage = previous !== undefined && previous.pathname !== location.pathname;
  const { keepScroll, toHeading, toResults } = readLocationState(location);
  if (position) {
    return {
      scroll: { to: 'position', position, onlyIfNear: isFirstPage },
      focus: isNewPage ? { linkTo: previous.pathname } : 'stay',
    };
  }
  if (keepScroll) return { scroll: { to: 'stay' }, focus: 'stay' };
  if (toHeading) return { scroll: { to: 'top' }, focus: 'heading' };
  const focus = isNewPage ? 'page' : 'stay';
  if (toResults) return { scroll: { to: 'results', fromTop: isNewPage }, focus };
  if (location.hash) {
    return { scroll: { to: 'hash', isSmooth: !isFirstPage && !isNewPage, onlyIfLoading: isFirstPage }, focus: 'hash' };
  }
  return { scroll: { to: isFirstPage ? 'stay' : 'top' }, focus };
}
