import type { KeyboardEvent } from 'react';

/** Props that make a link a button to assistive technology and the keyboard; without scripts it works as a link. */
export const linkAsButton = {
  role: 'button',
  onKeyDown: (event: KeyboardEvent<HTMLAnchorElement>) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    event.currentTarget.click();
  },
} as const;
