import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The strip of new agents. */
export const lazyNewAgentsStrip = createLazyComponent(
  async () => (await import('./NewAgentsStrip.tsx')).NewAgentsStrip,
);
