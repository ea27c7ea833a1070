import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The table of search operators. */
export const lazySearchOperators = createLazyComponent(
  async () => (await import('./SearchOperators.tsx')).SearchOperators,
);
