import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The way from an agent that was withdrawn to the registration form. */
export const lazyRegisterAgain = createLazyComponent(async () => (await import('./RegisterAgain.tsx')).RegisterAgain);
