import { createLazyComponent } from '../components/lazy-component.tsx';

export const lazyChosenPage = createLazyComponent(async () => (await import('./ChosenPage.tsx')).ChosenPage);
export const lazyManageAgent = createLazyComponent(async () => (await import('./ManageAgent.tsx')).ManageAgent);
export const lazyNavDrawer = createLazyComponent(async () => (await import('./layout/NavDrawer.tsx')).NavDrawer);
export const lazyOwnAgentPage = createLazyComponent(async () => (await import('./OwnAgentPage.tsx')).OwnAgentPage);
