import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The navigation drawer of small screens. */
export const lazyNavDrawer = createLazyComponent(async () => (await import('./NavDrawer.tsx')).NavDrawer);
