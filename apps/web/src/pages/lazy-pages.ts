import { createLazyComponent } from '../components/lazy-component.tsx';

/** The page of an agent. */
export const lazyAgentPage = createLazyComponent(async () => (await import('./AgentPage.tsx')).AgentPage);

/** The home page. */
export const lazyHomePage = createLazyComponent(async () => (await import('./HomePage.tsx')).HomePage);
