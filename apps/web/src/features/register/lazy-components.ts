import { createLazyComponent } from '../../components/lazy-component.tsx';
import { whenIdle } from '../../lib/when-idle.ts';

export const lazyRegisterAgain = createLazyComponent(async () => (await import('./RegisterAgain.tsx')).RegisterAgain);

/** The registration form. It is below the fold and rendered on the server, so it is hydrated when the browser is idle. */
export const lazyRegisterForm = createLazyComponent(async () => {
  await whenIdle();
  return (await import('./RegisterForm.tsx')).RegisterForm;
});
