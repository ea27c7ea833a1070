import { createLazyComponent } from '../lib/lazy-component.tsx';

/** The part of the home page that compares agents. */
export const lazyComparisonPage = createLazyComponent(
  async () => (await import('./ComparisonPage.tsx')).ComparisonPage,
);
