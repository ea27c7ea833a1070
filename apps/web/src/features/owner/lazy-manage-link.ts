import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** Keeps the key of a link to an agent. */
export const lazyManageLink = createLazyComponent(async () => (await import('./ManageLink.tsx')).ManageLink);
