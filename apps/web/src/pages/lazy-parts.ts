import { createLazyComponent } from '../components/lazy-component.tsx';
import { whenIdle } from '../lib/when-idle.ts';

/** Below the fold and rendered on the server, so it is hydrated when the browser is idle. */
export const lazyCategories = createLazyComponent(async () => {
  await whenIdle();
  return (await import('../features/categories/Categories.tsx')).Categories;
});
export const lazyChosenPage = createLazyComponent(async () => (await import('./ChosenPage.tsx')).ChosenPage);
export const lazyManageAgent = createLazyComponent(async () => (await import('./ManageAgent.tsx')).ManageAgent);
export const lazyNavDrawer = createLazyComponent(async () => (await import('./layout/NavDrawer.tsx')).NavDrawer);
export const lazyOwnAgentPage = createLazyComponent(async () => (await import('./OwnAgentPage.tsx')).OwnAgentPage);
export const lazyManageLink = createLazyComponent(
  async () => (await import('../features/owner/ManageLink.tsx')).ManageLink,
);
export const lazyOwnAgents = createLazyComponent(
  async () => (await import('../features/owner/OwnAgents.tsx')).OwnAgents,
);
export const lazyOwnEntry = createLazyComponent(async () => (await import('../features/owner/OwnEntry.tsx')).OwnEntry);
