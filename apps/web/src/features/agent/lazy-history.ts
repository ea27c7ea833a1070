import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The history of an agent. */
export const lazyHistory = createLazyComponent(async () => (await import('./History.tsx')).History);
