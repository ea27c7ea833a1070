/** Skeleton cards while a list loads. */
export const SKELETON_CARDS = 6;
/** Cards shown at first, and added by each press of Load More Agents. */
export const CARDS_PER_PAGE = 12;
/** How many agents the page reads at a time where it reads pages. */
export const AGENTS_PER_READ = 48;
/** Capabilities on a card; the rest are behind "+N". */
export const MAX_CARD_CAPABILITIES = 3;
/** Lines of a description on a card. */
export const CARD_DESCRIPTION_LINES = 3;
/** Rows of the form's description field. */
export const DESCRIPTION_ROWS = 4;

/** How long a toast stays open, in milliseconds. */
export const TOAST_DURATION = 5_000;
/** How long a dismissed toast is kept before it is dropped, in milliseconds. */
export const TOAST_REMOVE_DELAY = 1_000_000;
/** How far to the right a toast is swiped to dismiss it, in pixels. */
export const TOAST_SWIPE_THRESHOLD = 50;
/** The key that moves focus to the toasts. */
export const TOAST_HOTKEY = 'F8';
/** The greatest width of the toasts on medium screens and up, in pixels. */
export const TOAST_MAX_WIDTH = 420;

/** How long a tooltip waits before it opens, in milliseconds. */
export const TOOLTIP_DELAY = 700;
/** How long after one tooltip closed the next one opens without waiting, in milliseconds. */
export const TOOLTIP_SKIP_DELAY = 300;
/** The distance of a tooltip from what it explains, in pixels. */
export const TOOLTIP_OFFSET = 4;
