import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** Where a page of a list is, and links to the pages beside it. */
export const lazyPageLinks = createLazyComponent(async () => (await import('./PageLinks.tsx')).PageLinks);

/** Ways on below the cards of a long list. */
export const lazyJumpLinks = createLazyComponent(async () => (await import('./PageLinks.tsx')).JumpLinks);
