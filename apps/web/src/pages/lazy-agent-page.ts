import { createLazyComponent } from '../lib/lazy-component.tsx';

/** The page of an agent. */
export const lazyAgentPage = createLazyComponent(async () => (await import('./AgentPage.tsx')).AgentPage);
