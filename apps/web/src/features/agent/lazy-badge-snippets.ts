import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The badge of an agent and its code. */
export const lazyBadgeSnippets = createLazyComponent(
  async () => (await import('../../components/BadgeSnippets.tsx')).BadgeSnippets,
);
