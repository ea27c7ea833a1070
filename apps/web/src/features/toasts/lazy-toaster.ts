import { createLazyComponent } from '../../lazy/lazy-component.tsx';

/** The viewport that shows toasts. */
export const lazyToaster = createLazyComponent(async () => (await import('./Toaster.tsx')).Toaster);
