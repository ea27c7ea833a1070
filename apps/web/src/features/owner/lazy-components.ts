import { createLazyComponent } from '../../components/lazy-component.tsx';

/** Keeps the key of a link to an agent. */
export const lazyManageLink = createLazyComponent(async () => (await import('./ManageLink.tsx')).ManageLink);

/** The panel of an own agent. */
export const lazyOwnEntry = createLazyComponent(async () => (await import('./OwnEntry.tsx')).OwnEntry);

/** The list of the agents whose keys this browser keeps. */
export const lazyOwnAgents = createLazyComponent(async () => (await import('./OwnAgents.tsx')).OwnAgents);
