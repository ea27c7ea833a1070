import { whenIdle } from './when-idle.ts';
import { createLazyComponent } from './lazy-component.tsx';

/** The page of an agent. */
export const agentPage = createLazyComponent(async () => (await import('../pages/AgentPage.tsx')).AgentPage);

/** The registration form, whose markup comes with the page: the scripts take it over when there is time. */
export const registerForm = createLazyComponent(async () => {
  await whenIdle();
  // The schemas by themselves, which are half of the work.
  await import('../features/register/validation.ts');
  return (await import('../features/register/RegisterForm.tsx')).RegisterForm;
});

/** The navigation on small screens. */
export const navDrawer = createLazyComponent(async () => (await import('../layout/NavDrawer.tsx')).NavDrawer);

/** The toasts as they are seen. */
export const toaster = createLazyComponent(async () => (await import('../features/toasts/Toaster.tsx')).Toaster);

/** The tooltips, which nobody asks for at once. */
export const tooltipLayer = createLazyComponent(async () => {
  await whenIdle();
  return (await import('../features/tooltips/TooltipLayer.tsx')).TooltipLayer;
});

/**
 * Loads all parts once the first view is there, one after the other, so that the visitor's acts come in between; one that cannot
 * be loaded is loaded when it is needed.
 */
export async function preloadLazyComponents(): Promise<void> {
  await whenIdle();
  for (const { load } of [registerForm, agentPage, navDrawer, toaster, tooltipLayer]) await load().catch(() => {});
}
