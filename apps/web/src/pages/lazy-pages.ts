import { createLazyComponent } from '../components/lazy-component.tsx';

export const lazyAgentPage = createLazyComponent(async () => (await import('./AgentPage.tsx')).AgentPage);

export const lazyHomePage = createLazyComponent(async () => (await import('./HomePage.tsx')).loadHomePage());
