import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The rarer clients. */
export const lazyMoreClients = createLazyComponent(async () => (await import('./MoreClients.tsx')).MoreClients);
