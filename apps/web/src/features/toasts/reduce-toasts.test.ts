import { expect, test } from 'vitest';
import { noToasts, reduceToasts, type ShownToast, type ToastEvent, type Toasts } from './reduce-toasts.ts';

const first: ShownToast = { id: '1', title: 'Draft saved', message: 'Your draft is kept.', variant: 'default' };
const second: ShownToast = { ...first, id: '2' };
const open: Toasts = { ...noToasts, latest: first, isOpen: true };
const dismissed: Toasts = { ...open, isOpen: false };

test.each<[fact: string, toasts: Toasts, event: ToastEvent, after: Toasts]>([
  ['the first toast opens', noToasts, { type: 'show', toast: first }, open],
  ['a new toast replaces the open one', open, { type: 'show', toast: second }, { ...open, latest: second }],
  ['a new toast replaces the dismissed one', dismissed, { type: 'show', toast: second }, { ...open, latest: second }],
  ['a dismissed toast is kept', open, { type: 'dismiss' }, dismissed],
  ['a dismissed toast reopens', dismissed, { type: 'reopen' }, open],
  ['an open toast stays open', open, { type: 'reopen' }, open],
  ['nothing reopens before the first toast', noToasts, { type: 'reopen' }, noToasts],
  ['a removed toast is gone', dismissed, { type: 'remove' }, noToasts],
  ['the pointer enters', open, { type: 'hover', isHovered: true }, { ...open, isHovered: true }],
  ['the focus enters', open, { type: 'focus', focused: 'toast' }, { ...open, focused: 'toast' }],
  [
    'a dismissed toast has neither pointer nor focus',
    { ...open, isHovered: true, focused: 'viewport' },
    { type: 'dismiss' },
    dismissed,
  ],
  [
    'a new toast appears under the pointer, in the focused viewport',
    { ...open, isHovered: true, focused: 'viewport' },
    { type: 'show', toast: second },
    { latest: second, isOpen: true, isHovered: true, focused: 'viewport' },
  ],
  [
    'a focused control disappears with its toast',
    { ...open, focused: 'toast' },
    { type: 'show', toast: second },
    { ...open, latest: second },
  ],
])('%s', (_fact, toasts, event, after) => {
  expect(reduceToasts(toasts, event)).toEqual(after);
});
