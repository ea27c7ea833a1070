import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The rarer clients. */
export const lazyMoreClients = createLazyComponent(async () => (await import('./MoreClients.tsx')).MoreClients);
