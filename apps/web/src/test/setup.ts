import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';
import { navDrawer, registerForm, toaster } from '../parts/parts.ts';

// What Mantine asks of a browser and jsdom does not have.
window.matchMedia = (media) =>
  ({ media, matches: false, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

afterEach(cleanup);

// Parts of the page are there from the beginning, as they are in a browser soon after it has opened the page.
await Promise.all([registerForm, navDrawer, toaster].map(({ load }) => load()));
