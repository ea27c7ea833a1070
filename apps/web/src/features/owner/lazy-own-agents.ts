import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The list of the agents whose keys this browser keeps. */
export const lazyOwnAgents = createLazyComponent(async () => (await import('./OwnAgents.tsx')).OwnAgents);
