import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The link to new agents. */
export const lazyNewAgentsLink = createLazyComponent(async () => (await import('./NewAgentsLink.tsx')).NewAgentsLink);
