import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { navDrawer, registerForm, toaster } from '../lazy/lazy-components.ts';

// What Mantine asks of a browser and jsdom does not have.
window.matchMedia = (media) =>
  ({ media, matches: false, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

afterEach(cleanup);

// As the time-out of a test: for what hangs.
configure({ asyncUtilTimeout: 20_000 });

// Parts of the page are there from the beginning, as they are in a browser soon after it has opened the page.
await Promise.all([registerForm, navDrawer, toaster].map(({ load }) => load()));
