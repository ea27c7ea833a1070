import { createLazyComponent } from '../../components/lazy-component.tsx';

export const lazyConnect = createLazyComponent(async () => (await import('./Connect.tsx')).Connect);
export const lazyHistory = createLazyComponent(async () => (await import('./History.tsx')).History);
export const lazyKnownFacts = createLazyComponent(async () => (await import('./KnownFacts.tsx')).KnownFacts);
export const lazyMoreAgents = createLazyComponent(async () => (await import('./MoreAgents.tsx')).MoreAgents);
