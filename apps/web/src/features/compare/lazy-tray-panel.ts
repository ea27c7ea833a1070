import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The panel of the agents that are chosen to compare. */
export const lazyTrayPanel = createLazyComponent(async () => (await import('./TrayPanel.tsx')).TrayPanel);
