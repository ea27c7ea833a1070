import { expect, test } from 'vitest';
import * as constants from './constants.ts';

test('the constants are those of the specification and the rulings', () => {
  expect({ ...constants }).toEqual({
    BRAND: 'Agent Registry',
    SKELETON_CARDS: 6,
    CARDS_PER_PAGE: 12,
    MAX_WHOLE_LIST: 2_000,
    AGENTS_PER_READ: 48,
    REGISTRATION_CLOSED: 'Registrations are closed for now; please come back later',
    MAX_CARD_CAPABILITIES: 3,
    CARD_DESCRIPTION_LINES: 3,
    DESCRIPTION_ROWS: 4,
    TOAST_DURATION: 5_000,
    TOAST_REMOVE_DELAY: 1_000_000,
    TOAST_SWIPE_THRESHOLD: 50,
    TOAST_HOTKEY: 'F8',
    TOAST_MAX_WIDTH: 420,
    TOOLTIP_DELAY: 700,
    TOOLTIP_SKIP_DELAY: 300,
    TOOLTIP_OFFSET: 4,
  });
});
