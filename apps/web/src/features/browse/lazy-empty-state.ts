import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The ways on from a list without agents. */
export const lazyEmptyState = createLazyComponent(async () => (await import('./EmptyState.tsx')).EmptyState);
