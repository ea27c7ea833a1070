import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** Keeps the key of a link to an agent. */
export const lazyManageLink = createLazyComponent(async () => (await import('./ManageLink.tsx')).ManageLink);

/** The list of the agents whose keys this browser keeps. */
export const lazyOwnAgents = createLazyComponent(async () => (await import('./OwnAgents.tsx')).OwnAgents);
