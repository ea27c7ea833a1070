import { createLazyComponent } from '../lib/lazy-component.tsx';

/** The home page. */
export const lazyHomePage = createLazyComponent(async () => (await import('./HomePage.tsx')).HomePage);
