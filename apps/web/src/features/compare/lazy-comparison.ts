import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The table that compares agents. */
export const lazyComparison = createLazyComponent(async () => (await import('./Comparison.tsx')).Comparison);
