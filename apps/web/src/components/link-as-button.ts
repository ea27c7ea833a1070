import type { KeyboardEvent } from 'react';

/** Makes a link a button for who uses it; without scripts it is a link. */
export const linkAsButton = {
  role: 'button',
  onKeyDown: (event: KeyboardEvent<HTMLAnchorElement>) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    event.currentTarget.click();
  },
} as const;
