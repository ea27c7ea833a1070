import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The facts of an agent at a glance. */
export const lazyFactStrip = createLazyComponent(async () => (await import('./FactStrip.tsx')).FactStrip);
