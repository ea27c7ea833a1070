import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The list of the keyboard shortcuts. */
export const lazyKeyList = createLazyComponent(async () => (await import('./KeyList.tsx')).KeyList);
