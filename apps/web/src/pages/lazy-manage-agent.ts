import { createLazyComponent } from '../lib/lazy-component.tsx';

/** The forms of the owner of an agent. */
export const lazyManageAgent = createLazyComponent(async () => (await import('./ManageAgent.tsx')).ManageAgent);
