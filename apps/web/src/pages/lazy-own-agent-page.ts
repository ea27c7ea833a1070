import { createLazyComponent } from '../lib/lazy-component.tsx';

/** What only the owner of an agent sees of it. */
export const lazyOwnAgentPage = createLazyComponent(async () => (await import('./OwnAgentPage.tsx')).OwnAgentPage);
