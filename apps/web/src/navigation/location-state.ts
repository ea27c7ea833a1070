import type { Location } from 'react-router-dom';

/** A link back to the list that a page was opened from. */
export type BackLink = {
  path: string;
  /** Such as "Back to results for ‘logo’". */
  label: string;
};

/** The state of a history entry. The browser keeps it for back, forward and reload. */
export type LocationState = {
  /** Whether navigating here leaves the page scrolled where it is. */
  keepScroll?: boolean;
  /** How many cards of the list are shown. */
  cardsShown?: number;
  /** The list of the history entry before this one. */
  backTo?: BackLink | undefined;
};

/** Reads the state of a history entry. */
export function readLocationState({ state }: Location): LocationState {
  return (state ?? {}) as LocationState;
}

/** Options of a link or of `navigate` that leave the page scrolled where it is. */
export const keepScroll: { state: LocationState } = { state: { keepScroll: true } };
