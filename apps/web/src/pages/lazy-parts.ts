import { createLazyComponent } from '../components/lazy-component.tsx';

/** The part of the home page that compares agents. */
export const lazyComparisonPage = createLazyComponent(
  async () => (await import('./ComparisonPage.tsx')).ComparisonPage,
);

/** The forms of an agent's page. */
export const lazyManageAgent = createLazyComponent(async () => (await import('./ManageAgent.tsx')).ManageAgent);

/** What only the owner of an agent sees of it. */
export const lazyOwnAgentPage = createLazyComponent(async () => (await import('./OwnAgentPage.tsx')).OwnAgentPage);
