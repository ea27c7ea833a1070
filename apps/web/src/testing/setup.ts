import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { lazyRegisterForm } from '../features/register/Register.tsx';
import { lazyToaster } from '../features/toasts/ToastProvider.tsx';
import { lazyNavDrawer } from '../pages/lazy-parts.ts';

// Mantine needs these; jsdom does not have them.
Element.prototype.scrollIntoView = () => {};
window.matchMedia = (media) =>
  ({ media, matches: false, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});
afterEach(cleanup);

// Catches hanging tests, not slow ones on a busy machine.
configure({ asyncUtilTimeout: 20_000 });

await Promise.all([lazyRegisterForm, lazyNavDrawer, lazyToaster].map(({ load }) => load()));
