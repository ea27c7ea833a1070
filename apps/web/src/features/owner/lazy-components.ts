import { createLazyComponent } from '../../components/lazy-component.tsx';

export const lazyManageLink = createLazyComponent(async () => (await import('./ManageLink.tsx')).ManageLink);
export const lazyOwnAgents = createLazyComponent(async () => (await import('./OwnAgents.tsx')).OwnAgents);
export const lazyOwnEntry = createLazyComponent(async () => (await import('./OwnEntry.tsx')).OwnEntry);
