import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The agents of a list as lines of a table. */
export const lazyAgentRows = createLazyComponent(async () => (await import('./AgentRows.tsx')).AgentRows);

/** The ways on from a list without agents. */
export const lazyEmptyState = createLazyComponent(async () => (await import('./EmptyState.tsx')).EmptyState);

/** Where a page of a list is, and links to the pages beside it. */
export const lazyPageLinks = createLazyComponent(async () => (await import('./PageLinks.tsx')).PageLinks);

/** Ways on below the cards of a long list. */
export const lazyJumpLinks = createLazyComponent(async () => (await import('./PageLinks.tsx')).JumpLinks);
