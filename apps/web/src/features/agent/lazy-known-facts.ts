import { createLazyComponent } from '../../components/lazy-component.tsx';

/** What is known of an entry. */
export const lazyKnownFacts = createLazyComponent(async () => (await import('./KnownFacts.tsx')).KnownFacts);
