import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The link to new agents. */
export const lazyNewAgentsLink = createLazyComponent(async () => (await import('./NewAgentsLink.tsx')).NewAgentsLink);
