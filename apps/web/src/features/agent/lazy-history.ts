import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The history of an agent. */
export const lazyHistory = createLazyComponent(async () => (await import('./History.tsx')).History);
