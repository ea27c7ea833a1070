import { createLazyComponent } from '../lib/lazy-component.tsx';

/** The forms of an agent's page. */
export const lazyManageAgent = createLazyComponent(async () => (await import('./ManageAgent.tsx')).ManageAgent);
