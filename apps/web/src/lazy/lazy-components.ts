import { afterFirstView } from './when-idle.ts';
import { createLazyPart } from './lazy-component.tsx';

/** The page of an agent. */
export const agentPage = createLazyPart(async () => (await import('../pages/AgentPage.tsx')).AgentPage);

/** The registration form, whose markup comes with the page: the scripts take it over when there is time. */
export const registerForm = createLazyPart(async () => {
  await afterFirstView();
  // The schemas by themselves, which are half of the work.
  await import('../features/register/validation.ts');
  return (await import('../features/register/RegisterForm.tsx')).RegisterForm;
});

/** The navigation on small screens. */
export const navDrawer = createLazyPart(async () => (await import('../layout/NavDrawer.tsx')).NavDrawer);

/** The toasts as they are seen. */
export const toaster = createLazyPart(async () => (await import('../features/toasts/Toaster.tsx')).Toaster);

/** The tooltips, which nobody asks for at once. */
export const tooltipLayer = createLazyPart(async () => {
  await afterFirstView();
  return (await import('../features/tooltips/TooltipLayer.tsx')).TooltipLayer;
});

/**
 * Loads all parts once the first view is there, one after the other, so that the visitor's acts come in between; one that cannot
 * be loaded is loaded when it is needed.
 */
export async function loadPartsInTime(): Promise<void> {
  await afterFirstView();
  for (const { load } of [registerForm, agentPage, navDrawer, toaster, tooltipLayer]) await load().catch(() => {});
}
