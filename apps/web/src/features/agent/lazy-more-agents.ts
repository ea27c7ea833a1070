import { createLazyComponent } from '../../components/lazy-component.tsx';

/** Other agents of the category. */
export const lazyMoreAgents = createLazyComponent(async () => (await import('./MoreAgents.tsx')).MoreAgents);
