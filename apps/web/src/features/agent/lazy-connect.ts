import { createLazyComponent } from '../../components/lazy-component.tsx';

/** How to connect to an agent. */
export const lazyConnect = createLazyComponent(async () => (await import('./Connect.tsx')).Connect);
